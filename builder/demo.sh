#!/bin/sh
# From this repository's raw/ to a site and three answers, in build/demo; nothing else is touched.
set -eu
demo=build/demo
bin=$(pwd)/.venv/bin
export NO_MKDOCS_2_WARNING=1

rm -rf "$demo"
"$bin/citewiki" init "$demo" --quiet
rm -rf "$demo/raw"
mkdir -p "$demo/raw"
cp -R raw/. "$demo/raw/"
rm -f "$demo/raw/manifest.jsonl"

printf '\n── Distilling %s sources ──\n' "$(find "$demo/raw" -type f | wc -l | tr -d ' ')"
"$bin/citewiki" compile --wiki "$demo"

printf '\n── Building the site ──\n'
(cd "$demo" && "$bin/mkdocs" build --strict --quiet)
printf '%s pages in %s/site\n' "$(find "$demo/site" -name '*.html' | wc -l | tr -d ' ')" "$demo"

ask() {
  printf '\n── ? %s\n' "$1"
  status=0
  "$bin/citewiki" ask --wiki "$demo" "$1" || status=$?
  # 0: answered, 3: refused; anything else is a fault
  [ "$status" = 0 ] || [ "$status" = 3 ] || exit "$status"
}
ask "Who developed BM25, and when did it become known?"
ask "Tiếng Việt có bao nhiêu thanh?"
ask "How many moons does Jupiter have?"

printf '\nThe site:  open %s/site/index.html, or live: (cd %s && %s/mkdocs serve)\n' "$demo" "$demo" "$bin"
