#!/usr/bin/env bash
# slurm.sh: starts a sweep or a sampling as an array of Slurm jobs, one per shard, and a job that merges them in the end.
#   GRID=grid.toml OUT=grid.ndjson N=32 examples/cluster/slurm.sh
#   SCENARIO=duel.toml TRIALS=1e12 OUT=duel.json N=32 examples/cluster/slurm.sh
# The files must be on a shared file system. A shard that was stopped resumes when it is requeued.
set -euo pipefail
: "${OUT:?the file to write}" "${N:=32}"
salvo=${SALVO:-salvo}
if [[ -n ${SCENARIO:-} ]]; then
  words=(run "$SCENARIO" --engine sample --trials "${TRIALS:?how many trials}" --seed "${SEED:-1}")
else
  words=(sweep "${GRID:?the grid file, or SCENARIO}")
fi
parts=$OUT.shards
mkdir -p -- "$parts"

# %q quotes words for a shell.
job=$(sbatch --parsable --array="1-$N" --requeue --cpus-per-task="${CPUS:-1}" --job-name=salvo-shard \
  --output="$parts/%a.log" --wrap "exec $(printf '%q ' "$salvo" "${words[@]}") --no-progress --threads ${CPUS:-1} \
  --shard \$SLURM_ARRAY_TASK_ID/$N --out $(printf %q "$parts")/\$SLURM_ARRAY_TASK_ID.rows")
sbatch --parsable --dependency="afterok:$job" --kill-on-invalid-dep=yes --job-name=salvo-merge --output="$parts/merge.log" \
  --wrap "exec $(printf %q "$salvo") merge $(printf %q "$parts")/*.rows --out $(printf %q "$OUT")"
