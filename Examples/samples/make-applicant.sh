#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Opens an account at a provider and makes the pictures that its applicant shows to the camera.
#
#   Examples/samples/make-applicant.sh WALLET_PROVIDER DATA_DIRECTORY [DIRECTORY]
#
# DATA_DIRECTORY is that of the provider, which may be running; DIRECTORY is build/applicant by default.
# enrolment-code.png is the QR code of the account, licence.png the back of the applicant's licence;
# licence-damaged.png and poster.png are pictures that a wallet refuses with a reason.
# Needs zint and qrencode, and Pillow for the damaged one: apt-get install python3-pil qrencode zint
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
(($# == 2 || $# == 3)) || { sed -n 's/^#   /usage: /p' "$0" >&2 && exit 2; }
program=$1 data=$2
directory=${3:-$here/../../build/applicant}
mkdir -p "$directory"

"$program" account create --data "$data" --label imogen@rowan.example \
  --family-name Rowan --given-name 'Imogen Elspeth' --birth-date 1988-03-14 \
  --qr "$directory/enrolment-code.png" >"$directory/account.txt" 2>"$directory/account.log" ||
  { cat "$directory/account.log" >&2 && exit 1; }
# A licence can prove only one account, so each gets a new number.
"$here/licence.py" --family-name ROWAN --given-names 'IMOGEN ELSPETH' --birth-date 1988-03-14 \
  --number "T$(date +%s%N | tail -c 10)" >"$directory/licence.aamva"
zint --barcode=PDF417 --binary --secure=5 --cols=13 --scale=3 --quietzones \
  -i "$directory/licence.aamva" -o "$directory/licence.png"
"$here/picture.py" wipe 40 "$directory/licence.png" "$directory/licence-damaged.png"
qrencode --level=M --8bit --size=8 --margin=4 -o "$directory/poster.png" 'https://example.com/poster'
