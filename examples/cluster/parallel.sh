#!/usr/bin/env bash
# parallel.sh GRID OUT N: runs a sweep in N shards with GNU parallel and merges them. A second run resumes the first.
# With PARALLEL='--sshlogin host1,host2 --workdir .' the shards run on other machines that share the files.
set -euo pipefail
(($# == 3)) || {
  echo "usage: parallel.sh GRID OUT N" >&2
  exit 2
}
salvo=${SALVO:-salvo}
mkdir -p -- "$2.shards"
seq "$3" | parallel --halt soon,fail=1 --retries 3 \
  "$salvo" sweep "$1" --threads 1 --shard "{}/$3" --out "$2.shards/{}.rows"
exec "$salvo" merge "$2.shards/"*.rows --out "$2"
