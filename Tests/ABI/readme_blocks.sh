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
