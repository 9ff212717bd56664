#!/bin/sh
# Opens Countersign: countersign [FOLDER]. Or runs its agent in this terminal, without a window: countersign agent "task".
# This file is resources/bin/countersign of the installed app; a link to it may be on PATH.
file=$0
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case $target in
    /*) file=$target ;;
    *) file=$(dirname "$file")/$target ;;
  esac
done
here=$(cd "$(dirname "$file")" && pwd -P) || exit 1
app=$here/../../countersign
[ -x "$app" ] || app=$here/../../MacOS/Countersign
# The agent needs no display. With 4 MB for new objects instead of 1, V8 collects less garbage while the first command runs.
[ "$1" = agent ] && exec "$app" --ozone-platform=headless --js-flags=--min-semi-space-size=4 "$@"
"$app" "$@" >/dev/null 2>&1 &
