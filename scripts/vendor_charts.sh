#!/bin/sh
# Builds opperf/reporting/page/vendor/echarts.js again. Needs node, npm and the npm registry, which
# checks each package against the integrity in vendor/package-lock.json; nothing of them is run but
# esbuild.
set -eu
vendor=$(cd "$(dirname "$0")/../opperf/reporting/page/vendor" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$vendor/package.json" "$vendor/package-lock.json" "$vendor/entry.js" "$folder"
cd "$folder"
npm ci --ignore-scripts --no-audit --no-fund --silent
"node_modules/@esbuild/$(node -p 'process.platform + "-" + process.arch')/bin/esbuild" entry.js \
  --bundle --minify --format=iife --global-name=echarts --legal-comments=none --charset=ascii \
  --target=es2020 --outfile="$vendor/echarts.js"
sha256sum "$vendor/echarts.js"
grep -q "$(sha256sum "$vendor/echarts.js" | cut -d ' ' -f 1)" "$vendor/README.md" ||
  { echo "another build than vendor/README.md names: state its SHA-256 there" >&2; exit 1; }
