roofline=${ROOFLINE:-roofline} # a path to it on every machine
part() { # NUMBER THREADS
  exec "$roofline" sweep "$plan" --shard "$1/$shards" --format "$format" --jobs "$2" \
    -o "$out.$1-of-$shards"
}
merge() {
  local i parts=()
  for ((i = 1; i <= shards; i++)); do parts+=("$out.$i-of-$shards"); done
  "$roofline" sweep --merge --plan "$plan" -o "$out" "${parts[@]}"
}
