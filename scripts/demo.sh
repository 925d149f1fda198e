#!/usr/bin/env bash
# From a fresh clone to a first result: installs what is missing, builds, predicts MobileNetV2 on a KV260's B4096.
# The results land in demo-output/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-deps.sh
echo "building into build/release ..."
scripts/build.sh release

roofline=build/release/roofline
model=examples/models/mobilenetv2-b4096.xmodel
out=demo-output/mobilenetv2-b4096
mkdir -p demo-output

echo
echo "\$ $roofline predict $model --hw b4096"
"$roofline" predict "$model" --hw b4096
for format in text:txt json:json csv:csv markdown:md; do
  "$roofline" predict "$model" --hw b4096 --format "${format%:*}" -o "$out.${format#*:}" 2>/dev/null
done

cat <<END

The same as files, for reading, scripts, spreadsheets and pages:
$(printf '  %s\n' "$out".*)

Next, with a model of your own, compiled for any DPU:
  $roofline predict YOUR.xmodel --hw kv260
  $roofline inspect YOUR.xmodel
What hardware is known: $roofline hw list
END
