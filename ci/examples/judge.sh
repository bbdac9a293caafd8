#!/bin/sh
# Starts a gateway, judges it and stops it again, in any CI system or by hand:
#
#   judge.sh TARGET_FILE COMMAND [ARGUMENT]…
#
# The exit code is that of mcp-conformance: 0 conforms, 1 does not, 2 wrong usage, 3 could not be judged.
# A gateway that wants to see its servers before it starts needs `npx mcp-conformance mocks &` before this.
set -eu

if [ $# -lt 2 ]; then
  echo "usage: judge.sh TARGET_FILE COMMAND [ARGUMENT]…" >&2
  exit 2
fi
target=$1
shift

"$@" &
gateway=$!
trap 'kill "$gateway" 2>/dev/null || :; wait "$gateway" 2>/dev/null || :' EXIT

# Until it answers, for half a minute at most. What is wrong after that, the run itself says best.
tries=0
until npx --yes mcp-conformance doctor --target="$target" >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -ge 30 ] || ! kill -0 "$gateway" 2>/dev/null; then break; fi
  sleep 1
done

npx --yes mcp-conformance run --target="$target" --reporter=text \
  --reporter=junit=mcp-conformance/junit.xml --reporter=json=mcp-conformance/report.json
