#!/usr/bin/env bash
# Plays a tournament on a Slurm cluster: an array job with a task for each shard, and a job that merges them.
#
#     ./slurm.sh CONFIG SHARDS OUT [SBATCH OPTION]...
#     ./slurm.sh mine.toml 16 /scratch/me/mine --partition=short --cpus-per-task=8
#
# All nodes must find CONFIG, OUT and the program at the same place. Results come into OUT, shards into OUT/shards, and
# what each job says into OUT/logs. Called again with the same words, it plays on what is not finished. OVERTRICK names
# the program if it is not on the path.
#
# What each task asks for, unless the command line says otherwise:
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu=1G
#SBATCH --time=4:00:00
# A task that was preempted, or whose node failed, is started again and goes on from its checkpoint.
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail

fail() { echo "slurm.sh: $*" >&2; exit 2; }

submit() {
    [ $# -ge 3 ] || fail "usage: slurm.sh CONFIG SHARDS OUT [SBATCH OPTION]..."
    local config=$1 shards=$2 out=$3 program array merge
    shift 3
    [ -r "$config" ] || fail "$config cannot be read"
    [[ $shards =~ ^[1-9][0-9]*$ ]] || fail "SHARDS is $shards, but must be a whole number from 1 up"
    program=$(command -v "${OVERTRICK:-overtrick}") || fail "no program ${OVERTRICK:-overtrick}: name it by OVERTRICK"
    # Jobs may start in another folder than this.
    program=$(realpath "$program") config=$(realpath "$config") out=$(realpath -m "$out")
    mkdir -p "$out/logs"
    array=$(sbatch --parsable --job-name=overtrick --array="1-$shards" --output="$out/logs/shard-%a.log" "$@" \
        "$0" shard "$program" "$config" "$shards" "$out")
    # On several clusters, sbatch says which one after a semicolon.
    array=${array%%;*}
    # It would wait for ever for a shard that failed; so it is cancelled then.
    merge=$(sbatch --parsable --job-name=overtrick-merge --output="$out/logs/merge.log" "$@" --cpus-per-task=1 \
        --dependency="afterok:$array" --kill-on-invalid-dep=yes "$0" merge "$program" "$shards" "$out")
    echo "$shards shards are job $array, merging them is job ${merge%%;*}; results come into $out"
    echo "if the merge is cancelled, a shard has failed: see the ends of $out/logs/shard-*.log"
}

shard() {
    local program=$1 config=$2 shards=$3 out=$4 number=$SLURM_ARRAY_TASK_ID code=0
    # Slurm's SIGTERM goes to Overtrick as well, which writes a checkpoint: wait for it.
    trap : TERM
    "$program" run "$config" --shard "$number/$shards" --out "$out/shards/$number-of-$shards" --resume \
        --threads "$SLURM_CPUS_PER_TASK" || code=$?
    # 1 means that bots had faults: the shard is played, and the merge reports them.
    [ "$code" -gt 1 ] || exit 0
    echo "slurm.sh: shard $number of $shards is not finished: overtrick ended with code $code. If Slurm does not" \
        "start the task again, put right what is said above and call slurm.sh again: it goes on from what there is" >&2
    exit "$code"
}

merge() {
    local program=$1 shards=$2 out=$3 folders=() number
    for ((number = 1; number <= shards; number++)); do
        folders+=("$out/shards/$number-of-$shards")
    done
    exec "$program" merge "${folders[@]}" --out "$out"
}

# Slurm runs a copy of this script in each job, with the words given to sbatch above.
if [ -n "${SLURM_JOB_ID:-}" ] && [[ ${1:-} =~ ^(shard|merge)$ ]]; then
    "$@"
else
    submit "$@"
fi
