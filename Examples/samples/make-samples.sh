#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes pictures of invented cards to show to the camera of a wallet.
#
#   Examples/samples/make-samples.sh [DIRECTORY [ENROLMENT_LINK]]
#
# DIRECTORY is build/samples by default. For each licence NAME.png there is its content, NAME.aamva.
# With a link, enrolment-code.png is its QR code.
# Needs zint and qrencode, and Pillow for the changed pictures: apt-get install python3-pil qrencode zint
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=${1:-$here/../../build/samples}
link=${2:-}
mkdir -p "$directory"
cd "$directory"

# Makes the symbol as on real cards: raw bytes, error correction level 5.
symbol() {
  zint --barcode=PDF417 --binary --secure=5 --cols=13 --scale=3 --quietzones -i "$1.aamva" -o "$1.png"
}

# licence NAME OPTION...: makes a licence of the same person, unless the options say otherwise.
licence() {
  local name=$1
  shift
  "$here/licence.py" --family-name ROWAN --given-names 'IMOGEN ELSPETH' --birth-date 1988-03-14 \
    "$@" >"$name.aamva"
  symbol "$name"
}

licence licence
for version in 1 2 3 4 5 6 7 8 9 10; do
  licence "licence-version-$version" --version "$version"
done
licence licence-canada --issuer 636012 --number R6024-70887-85314
licence licence-enhanced --kind EN --issuer 636001 --number 987654321
licence identity-card --kind ID
licence licence-somebody-else --family-name ABERNATHY --given-names 'TOBIAS' \
  --birth-date 1971-11-30 --number T90817263
licence licence-expired --expiry-date 2019-06-30
licence licence-under-age --birth-date "$(date --date='16 years ago' +%F)" \
  --issue-date "$(date --date='3 months ago' +%F)"
licence licence-incomplete --omit DBB

# A complete symbol with incomplete content.
head --bytes=120 licence.aamva >licence-cut-off.aamva
symbol licence-cut-off

# Bad pictures.
"$here/picture.py" turn 4 licence.png licence-tilted.png
"$here/picture.py" wipe 40 licence.png licence-damaged.png
"$here/picture.py" blank 800 400 nothing.png

# Codes that are not a licence.
zint --barcode=CODE128 --scale=3 --quietzones -d 'INVENTORY 0047110815' -o inventory-number.png
qrencode --level=M --8bit --size=8 --margin=4 -o poster.png 'https://example.com/poster'

if [[ -n $link ]]; then
  qrencode --level=M --8bit --size=8 --margin=4 -o enrolment-code.png "$link"
fi
echo "the pictures are in $PWD"
