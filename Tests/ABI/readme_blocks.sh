# The code blocks of an article. To be sourced by a bash script.

# block FILE LANGUAGE [NUMBER [HEADING]]: the text of the NUMBERth code block of a language, from 1, in the whole file
# or under a second-level heading.
block() {
  awk -v language="$2" -v wanted="${3:-1}" -v heading="${4:-}" '
    /^```/ && inside { inside = 0; fenced = 0; next }
    /^```/ && fenced { fenced = 0; next }
    /^## / && !fenced { here = ($0 == "## " heading) }
    /^```/ { fenced = 1; inside = ($0 == "```" language && (heading == "" || here) && ++seen == wanted); next }
    inside' "$1"
}

# as_shown WANTED SAID: whether a file with output has the lines of a transcript; a line of dots matches any lines.
as_shown() {
  awk '
    NR == FNR { wanted[++count] = $0; next }
    FNR == 1 { at = 1 }
    { while (wanted[at] ~ /^ *\.\.\.$/) { gap = 1; at++ } }
    at <= count && $0 == wanted[at] { at++; gap = 0; next }
    !gap { print "found: " $0 "\nwanted: " wanted[at]; failed = 1; exit 1 }
    END { while (at <= count && wanted[at] ~ /^ *\.\.\.$/) at++
      if (!failed && at <= count) { print "never shown: " wanted[at]; exit 1 } }' "$1" "$2"
}
