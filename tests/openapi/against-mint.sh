# For scripts that run a Python tool against a Mint: source this file, and call `begin REQUIREMENTS`. It creates a venv
# in $scratch/venv and starts a Mint on free ports, at $url with the key $MINT_API_KEY; both are removed on exit.
# PYTHON names the Python (3.10 or later) to use instead of python3.

scratch=$(mktemp -d)
mint=

finish() {
  [ -n "$mint" ] && kill "$mint" 2>/dev/null && wait "$mint" 2>/dev/null
  rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT TERM

fail() {
  echo "$1" >&2
  tail -n 40 "$scratch"/*.log >&2
  exit 1
}

begin() {
  "${PYTHON:-python3}" -m venv "$scratch/venv" >"$scratch/venv.log" 2>&1 \
    && "$scratch/venv/bin/pip" install --quiet --disable-pip-version-check -r "$1" >>"$scratch/venv.log" 2>&1 \
    || fail "$1 could not be installed:"

  export MINT_API_KEY=mint_against-a-tool-$RANDOM$RANDOM$RANDOM PYTHONDONTWRITEBYTECODE=1
  DATA_DIR=$scratch/data PORT=0 CONTRACTS_PORT=0 BUSINESSES_PORT=0 METRICS_PORT=0 RATE_LIMIT_PER_SECOND=1000000 \
    PUBLIC_RATE_LIMIT_PER_SECOND=1000000 npm start --silent >"$scratch/mint.log" 2>&1 &
  mint=$!
  url=
  for _ in $(seq 400); do
    url=$(sed -n 's/^Mint [^ ]* is ready on //p' "$scratch/mint.log")
    [ -n "$url" ] && break
    kill -0 "$mint" 2>/dev/null || break
    sleep 0.1
  done
  [ -n "$url" ] || fail 'Mint did not start:'
}
