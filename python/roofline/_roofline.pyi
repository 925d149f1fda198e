# The extension that cffi builds.
from typing import Any

ffi: Any
lib: Any
