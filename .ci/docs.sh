#!/usr/bin/env bash
# Renders the articles to static pages, with the DocC plugin.
#
#   .ci/docs.sh DIRECTORY [BASE_PATH]
#
# Replaces DIRECTORY. BASE_PATH is its path on the web server, by default "/". A warning of DocC is an error.
# ARTICLES names a catalogue other than that of the sources. The copied articles and the plugin's build are in
# build/docs-package; the log is build/docs.log.
set -euo pipefail
cd "$(dirname "$0")/.."
pages=$1 base=/${2:-} package=build/docs-package
base=/$(sed 's,^/*,,; s,/*$,,' <<<"$base")
articles=${ARTICLES:-Sources/wallet_core/wallet_core.docc}

mkdir -p "$package/Sources/wallet_core" "$(dirname "$pages")"
directory=$(cd "$(dirname "$pages")" && pwd)/$(basename "$pages")
# Only what is missing or has changed, so that nothing is compiled again because of a new date.
cmp --silent .ci/docs/Package.swift "$package/Package.swift" || cp .ci/docs/Package.swift "$package"
articles_swift=$package/Sources/wallet_core/articles.swift # a target needs a source file
[[ -e $articles_swift ]] || : >"$articles_swift"
.ci/docs_catalogue.py "$articles" "$package/Sources/wallet_core/wallet_core.docc"

render() {
  .ci/quiet.sh "$PWD/build/docs.log" "docs: rendering $(find "$articles" -name '*.md' | wc -l) articles" \
    "${SWIFT:-swift}" package --package-path "$package" --allow-writing-to-directory "$directory" \
    generate-documentation --target wallet_core --output-path "$directory" --hosting-base-path "$base" \
    --fallback-default-module-kind Library --transform-for-static-hosting --warnings-as-errors
}
# SwiftPM itself can crash when a plugin fails (SIGSEGV in libdispatch), with what DocC has said lost.
for ((crashes = 0; ; crashes++)); do
  status=0
  render || status=$?
  ((status == 128 + 11 && crashes < 3)) || break
done
((status == 0)) || exit "$status"

# DocC's own page at the root is empty, because no article has that address.
cat >"$directory/index.html" <<'HTML'
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=documentation/wallet_core/">
<title>wallet_core</title>
<a href="documentation/wallet_core/">wallet_core</a>
</html>
HTML
if [[ $base == / ]]; then
  echo "docs: the pages are in $pages. They need JavaScript and a web server, this one for example:"
  echo "  python3 -m http.server -d $pages    # then open http://localhost:8000/"
else
  echo "docs: the pages are in $pages. They need JavaScript and a web server that serves them at $base/"
fi
