# Fails with a reason: cmake -P missing.cmake REASON
message(FATAL_ERROR "${CMAKE_ARGV3}")
