#!/bin/sh
# The mint command: `./mint` in this folder. npm has another program of this name, so it isn't called through npx, which
# would offer to install that one wherever it doesn't find ours.
here=$(dirname "$(readlink -f "$0")")
# The Node that `npm ci` brings; without it (in the image, for example) whichever there is, and launch.js checks it.
node=$here/node_modules/.bin/node
[ -x "$node" ] || node=node
exec "$node" "$here/cli/launch.js" "$@"
