#!/usr/bin/env bash
# Renders the articles to static pages, with the DocC plugin.
#
#   .ci/docs.sh DIRECTORY [BASE_PATH]
#
# Replaces DIRECTORY. BASE_PATH is where a web server has it, "/" unless said. A warning of DocC is an error.
# The copy that is rendered and the plugin's build lie in build/docs-package; the log is build/docs.log.
set -euo pipefail
cd "$(dirname "$0")/.."
directory=$1 shown=$1 base=/${2:-} log=build/docs.log package=build/docs-package
base=${base//\/\//\/}
articles=Sources/wallet_core/wallet_core.docc

mkdir -p "$package/Sources/wallet_core" "$(dirname "$directory")"
directory=$(cd "$(dirname "$directory")" && pwd)/$(basename "$directory")
cp .ci/docs/Package.swift "$package"
: >"$package/Sources/wallet_core/articles.swift" # a target without a source is none
.ci/docs_catalogue.py "$articles" "$package/Sources/wallet_core/wallet_core.docc"

echo "docs: rendering $(find "$articles" -name '*.md' | wc -l) articles; the log is $log"
if ! "${SWIFT:-swift}" package --package-path "$package" --allow-writing-to-directory "$directory" \
  generate-documentation --target wallet_core --output-path "$directory" --hosting-base-path "$base" \
  --transform-for-static-hosting --warnings-as-errors >"$log" 2>&1 </dev/null; then
  tail -n 40 "$log" >&2
  exit 1
fi

# DocC's own page at the root shows nothing: there is no article of that address.
cat >"$directory/index.html" <<'HTML'
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=documentation/wallet_core/">
<title>wallet_core</title>
<a href="documentation/wallet_core/">wallet_core</a>
</html>
HTML
echo "docs: the pages are in $shown. They need JavaScript and a web server, this one for example:"
echo "  python3 -m http.server -d $shown    # then open http://localhost:8000/"
