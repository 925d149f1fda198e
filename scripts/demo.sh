#!/usr/bin/env bash
# From a fresh clone to a first result: installs what is missing, builds, predicts MobileNetV2 on a KV260's B4096, and lays a
# published study of that board beside the ideal. The results land in demo-output/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-deps.sh
echo "building into build/release ..."
scripts/build.sh release --target roofline runners

roofline=build/release/roofline
model=examples/models/mobilenetv2-b4096.xmodel
out=demo-output/mobilenetv2-b4096
mkdir -p demo-output

echo
echo "\$ $roofline predict $model --hw b4096"
"$roofline" predict "$model" --hw b4096
for format in text:txt json:json csv:csv markdown:md trace:trace; do
  "$roofline" predict "$model" --hw b4096 --format "${format%:*}" -o "$out.${format#*:}" 2>/dev/null
done

echo
echo "\$ $roofline reconcile examples/kv260/measured.json"
"$roofline" reconcile examples/kv260/measured.json --calibration-out demo-output/kv260-calibration.json
for format in text:txt json:json csv:csv markdown:md trace:trace; do
  "$roofline" reconcile examples/kv260/measured.json --format "${format%:*}" --findings \
    -o "demo-output/kv260-study.${format#*:}" 2>/dev/null
done

echo
echo "\$ $roofline predict $model --hw kv260 --calibration demo-output/kv260-calibration.json"
"$roofline" predict "$model" --hw kv260 --calibration demo-output/kv260-calibration.json | grep -E -A1 '^predicted'

echo
echo "\$ $roofline report examples/kv260/measured.json -o demo-output/kv260-review"
"$roofline" report examples/kv260/measured.json -o demo-output/kv260-review || [ $? -eq 69 ] # 69: without gnuplot

if [ -x build/release/roofline-run-cpu ]; then
  echo
  echo "\$ $roofline hw probe -o demo-output/this-machine.json    # what this machine's processor can do at best"
  "$roofline" hw probe --most 5s -o demo-output/this-machine.json
  for net in mobilenetv1 mobilenetv2 resnet50; do
    echo "\$ $roofline measure examples/models/$net-b4096.xmodel --hw demo-output/this-machine.json -o demo-output/$net.json"
    "$roofline" measure "examples/models/$net-b4096.xmodel" --hw demo-output/this-machine.json --iterations 30 \
      -o "demo-output/$net.json"
  done
  echo
  echo "\$ $roofline predict $model --hw demo-output/this-machine.json"
  "$roofline" predict "$model" --hw demo-output/this-machine.json | head -n 6
  echo
  echo "\$ $roofline reconcile demo-output/mobilenetv1.json demo-output/mobilenetv2.json demo-output/resnet50.json"
  "$roofline" reconcile demo-output/{mobilenetv1,mobilenetv2,resnet50}.json
  "$roofline" report demo-output/{mobilenetv1,mobilenetv2,resnet50}.json -o demo-output/this-machine-review || [ $? -eq 69 ]
else
  echo
  echo "This machine's processor is not measured: roofline-run-cpu needs oneDNN (libdnnl-dev)."
fi

cat <<END

The same as files, for reading, scripts, spreadsheets, pages and, on ui.perfetto.dev, as timelines:
$(printf '  %s\n' "$out".* demo-output/kv260-*)

Next, with a model and a profile of your own:
  $roofline predict YOUR.xmodel --hw kv260
  $roofline import TRACE... --model YOUR.xmodel --hw kv260 -o measured.json
  $roofline reconcile measured.json
  $roofline report measured.json -o review
What hardware is known: $roofline hw list
END
