#!/usr/bin/env bash
# Tests the scanner of the C host with pictures of invented cards and with files that are not pictures.
#
# WRAPPER is put before the scanner (for example valgrind).
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
source Tests/ABI/report.sh
source Tests/Support/patience.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
link='https://wallet.example/b#v=1&m=qr&n=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&x=4102444800'
samples=$scratch/samples
picture=Examples/samples/picture.py
read -ra wrapper <<<"${WRAPPER:-}"

# Its own build, with sanitizers, because the input is untrusted.
sanitizers=-fsanitize=address,undefined
[[ -z ${WRAPPER:-} ]] || sanitizers=
holds "the scanner compiles" env CPPFLAGS=-IInclude CXXFLAGS="-g $sanitizers -fno-sanitize-recover=all" \
  Examples/C/compile-scanner.sh "$scratch" || exit 1
holds "the samples are made" Examples/samples/make-samples.sh "$samples" "$link"

scan() {
  timeout --kill-after=5 "${TIMEOUT:-$PROGRAM_PATIENCE}" "${wrapper[@]}" "$scratch/scan" "$@" 2>"$scratch/errors"
}

# reads NAME CONTENT OPTION... PICTURE: compares every byte. A crash under the sanitizers has another exit code.
reads() {
  local name=$1 content=$2 status
  shift 2
  scan --raw "$@" >"$scratch/read"
  status=$?
  if ((status == 0)) && cmp --silent "$content" "$scratch/read"; then
    ok "$name"
  else
    not_ok "$name" "status $status, $(wc --bytes <"$scratch/read") bytes: $(<"$scratch/errors")"
  fi
}

# tells NAME STATUS WORDS OPTION... PICTURE: the scanner reads nothing and says why.
tells() {
  local name=$1 wanted=$2 words=$3 status
  shift 3
  scan --raw "$@" >"$scratch/read"
  status=$?
  if ((status == wanted)) && [[ ! -s $scratch/read ]] && grep -qi "$words" "$scratch/errors"; then
    ok "$name"
  else
    not_ok "$name" "status $status, $(wc --bytes <"$scratch/read") bytes: $(<"$scratch/errors")"
  fi
}
unreadable=1 nothing=2 no_picture=3

# --- codes are read ------------------------------------------------------------------------
for content in "$samples"/*.aamva; do
  name=$(basename "$content" .aamva)
  reads "$name.png is read byte by byte" "$content" --licence "$samples/$name.png"
done
printf '%s' "$link" >"$scratch/link"
reads "an enrolment code is read" "$scratch/link" "$samples/enrolment-code.png"
reads "also by a scanner for licences" "$scratch/link" --licence "$samples/enrolment-code.png"
# Some codes have a row of modules that looks like the edge of a licence's barcode.
alike='https://wallet.example/b#v=1&m=qr&n=65NQa1cxz7rcCPRW17v9llmf4UQWMpbQw-9LDY2DJy8&x=4102444800'
qrencode --level=M --8bit --size=8 --margin=4 -o "$scratch/alike.png" "$alike"
printf '%s' "$alike" >"$scratch/alike"
reads "one with a row like a licence's too" "$scratch/alike" --licence "$scratch/alike.png"
reads "a licence is read by a scanner for codes" "$samples/licence.aamva" "$samples/licence.png"
printf 'INVENTORY 0047110815' >"$scratch/number"
reads "so is a barcode of another kind" "$scratch/number" --licence "$samples/inventory-number.png"

"$picture" beside "$samples/nothing.png" "$samples/inventory-number.png" "$scratch/large.png"
reads "a small barcode in a large picture is read" "$scratch/number" --licence "$scratch/large.png"

turns=(-9 -5 -2 3 7 9 90 180 270)
[[ ${WALLET_CORE_EXHAUSTIVE:-} != 1 ]] || turns=(-9 -7 -5 -4 -3 -2 2 3 4 5 6 7 8 9 90 180 270)
for degrees in "${turns[@]}"; do
  "$picture" turn "$degrees" "$samples/licence.png" "$scratch/turned.png"
  reads "a licence turned by $degrees degrees" "$samples/licence.aamva" --licence "$scratch/turned.png"
done
"$picture" blank 4000 2600 "$scratch/wall.png"
"$picture" beside "$scratch/wall.png" "$samples/licence-tilted.png" "$scratch/photograph.png"
reads "a tilted licence in a photograph of 12 million pixels" "$samples/licence.aamva" \
  --licence "$scratch/photograph.png"
for degrees in -9 3 45 180; do
  "$picture" turn "$degrees" "$samples/enrolment-code.png" "$scratch/turned.png"
  reads "a code turned by $degrees degrees" "$scratch/link" "$scratch/turned.png"
done

"$picture" beside "$samples/poster.png" "$samples/licence-tilted.png" "$scratch/both.png"
reads "of two symbols the wanted one is read" "$samples/licence.aamva" --licence "$scratch/both.png"
printf 'https://example.com/poster' >"$scratch/poster"
reads "whichever that is" "$scratch/poster" "$scratch/both.png"

# --- unreadable codes are distinguished from missing ones ----------------------------------
tells "a licence of which 40 % is gone" $unreadable 'cannot be read' --licence "$samples/licence-damaged.png"
"$picture" turn 180 "$samples/licence-damaged.png" "$scratch/turned.png"
tells "the same upside down" $unreadable 'cannot be read' --licence "$scratch/turned.png"
"$picture" turn 90 "$samples/licence-damaged.png" "$scratch/turned.png"
tells "the same on its side" $unreadable 'cannot be read' --licence "$scratch/turned.png"
"$picture" wipe 40 "$samples/enrolment-code.png" "$scratch/wiped.png"
tells "a code of which 40 % is gone" $unreadable 'cannot be read' "$scratch/wiped.png"
"$picture" beside "$samples/inventory-number.png" "$samples/licence-damaged.png" "$scratch/both.png"
tells "a damaged licence beside a whole barcode" $unreadable 'cannot be read' --licence "$scratch/both.png"
tells "a white wall" $nothing 'no symbol' "$samples/nothing.png"
tells "for a scanner of licences too" $nothing 'no symbol' --licence "$samples/nothing.png"
"$picture" noise 600 400 "$scratch/noise.png"
tells "noise" $nothing 'no symbol' --licence "$scratch/noise.png"
"$picture" text 600 400 "$scratch/text.png"
tells "a page of text" $nothing 'no symbol' --licence "$scratch/text.png"
"$picture" blank 1 1 "$scratch/pixel.png"
tells "a single pixel" $nothing 'no symbol' --licence "$scratch/pixel.png"

# --- files that are not pictures -----------------------------------------------------------
size=$(stat --format=%s "$samples/licence.png")
for length in 0 4 8 20 33 40 $((size / 2)) $((size - 13)) $((size - 30)); do
  head --bytes="$length" "$samples/licence.png" >"$scratch/cut.png"
  tells "a file cut off at $length of $size bytes" $no_picture 'not a PNG' --licence "$scratch/cut.png"
done
echo 'no picture at all' >"$scratch/words.png"
tells "a text file" $no_picture 'not a PNG' "$scratch/words.png"
tells "a directory" $no_picture 'not a file' "$scratch"
mkfifo "$scratch/pipe.png"
tells "a pipe, which is not waited for" $no_picture 'not a file' "$scratch/pipe.png"
tells "a missing file" $no_picture 'no such file' "$scratch/missing.png"
"$picture" claim 20000 20000 "$samples/licence.png" "$scratch/large.png"
tells "a small file that claims 20000 x 20000 pixels" $no_picture 'too many pixels' "$scratch/large.png"
"$picture" blank 1000000 49 "$scratch/strip.png"
tells "a strip that would be huge once it is turned" $no_picture 'too many pixels' "$scratch/strip.png"
"$picture" claim 2147483647 2147483647 "$samples/licence.png" "$scratch/large.png"
tells "one that claims more than there is" $no_picture 'PNG\|pixels' "$scratch/large.png"
"$picture" claim 0 100 "$samples/licence.png" "$scratch/large.png"
tells "one that claims no width" $no_picture 'not a PNG' "$scratch/large.png"

# Changed bytes: whether they can be read or not, there is never a crash.
crashes=0 damaged=$([[ ${WALLET_CORE_EXHAUSTIVE:-} == 1 ]] && echo 60 || echo 15)
for ((seed = 1; seed <= damaged; seed++)); do
  "$picture" spoil "$seed" "$samples/licence.png" "$scratch/damaged.png"
  scan --raw --licence "$scratch/damaged.png" >/dev/null
  (($? <= no_picture)) || { crashes=$((crashes + 1)) && cat "$scratch/errors"; }
done
same "damaged files do not crash the scanner" 0 "$crashes"
