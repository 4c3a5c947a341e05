#!/bin/sh
# Fuzzes the MJCF reader and the compiler: run.sh BUILD_DIR [SECONDS] [JOBS]
# Seeds are our own texts in corpus/ and, when they are installed, the models of dm_control and gymnasium.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 seconds=${2:-60} jobs=${3:-1}
work=$build/fuzz-work
mkdir -p "$work/corpus" "$work/seeds"
for folder in "$here"/../../.venv/lib/python3*/site-packages/dm_control/suite \
    "$here"/../../.venv/lib/python3*/site-packages/gymnasium/envs/mujoco/assets; do
    if [ -d "$folder" ]; then
        echo "seeds from $folder"
        cp "$folder"/*.xml "$work/seeds/"
    fi
done
echo "fuzzing for $seconds s, $jobs job(s); crashes go to $work"
cd "$work"
exec ../tests/fuzz/fuzz_mjcf -dict="$here/mjcf.dict" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 \
    -max_len=20000 -fork="$jobs" -ignore_crashes=0 corpus "$here/corpus" seeds
