#!/usr/bin/env bash
# slurm.sh: a sweep as an array of Slurm jobs, one a shard, and a job that merges them when all are done.
#   GRID=grid.toml OUT=grid.ndjson N=32 examples/cluster/slurm.sh
# GRID and OUT have to be on a file system that all machines see. A shard that was stopped goes on when it is requeued.
set -euo pipefail
: "${GRID:?the grid file}" "${OUT:?the file to write}" "${N:=32}"
salvo=${SALVO:-salvo}
parts=$OUT.shards
mkdir -p -- "$parts"

job=$(sbatch --parsable --array="1-$N" --requeue --cpus-per-task="${CPUS:-1}" --job-name=salvo-sweep \
  --output="$parts/%a.log" --wrap "exec $(printf %q "$salvo") sweep $(printf %q "$GRID") --threads ${CPUS:-1} \
  --shard \$SLURM_ARRAY_TASK_ID/$N --out $(printf %q "$parts")/\$SLURM_ARRAY_TASK_ID.rows")
sbatch --parsable --dependency="afterok:$job" --job-name=salvo-merge --output="$parts/merge.log" \
  --wrap "exec $(printf %q "$salvo") merge $(printf %q "$parts")/*.rows --out $(printf %q "$OUT")"
