#!/bin/bash
# The figures "How soon" of docs/peers.md, to be taken on a quiet machine: from the root of the checkout,
#
#     benchmarks/how_soon.sh FOLDER [TRITONBENCH]
#
# FOLDER gets an environment with asv, pytest-benchmark and pyperf, and a line a command in times.csv;
# TRITONBENCH is a checkout of it at db2155c, with its requirements in this environment. Needs hyperfine
# (Debian's) and this project's environment with PyTorch. Some ten minutes.
set -eu
folder=$(realpath -m "$1") tritonbench=${2:+$(realpath "$2")}
own=$PWD/.venv/bin peers=$folder/.venv/bin
mkdir -p "$folder" && cd "$folder"
[ -d .venv ] || "$own/python" -m venv .venv
"$peers/pip" install -q asv==0.6.6 pytest==9.2.0 pytest-benchmark==5.3.1 pyperf==2.10.0 numpy virtualenv

add="import numpy as np; a, b = (np.ones((1024, 1024), np.float32) for _ in range(2))"
cat > test_add.py <<EOF
$add
def test_add(benchmark):
    benchmark(np.add, a, b)
EOF
mkdir -p suite
cat > suite/add.py <<EOF
$add
class Add:
    def time_add(self):
        np.add(a, b)
EOF
touch suite/__init__.py
echo '{"version": 1, "project": "add", "repo": ".", "benchmark_dir": "suite", "branches": ["HEAD"], "environment_type": "virtualenv"}' > asv.conf.json
[ -d .git ] || { git init -q; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first; }
"$peers/asv" machine --yes > /dev/null
torch="import torch; from torch.utils.benchmark import Timer
a, b = torch.ones(1024, 1024), torch.ones(1024, 1024)
print(Timer('torch.add(a, b)', globals=globals()).blocked_autorange())"

times() { # RUNS, then a name and a command each
    local runs=$1; shift
    while [ $# -gt 0 ]; do
        hyperfine -N --runs "$runs" --export-csv one.csv "$2" > /dev/null
        echo "$1,$(awk -F, 'NR == 2 { print $(NF - 4) }' one.csv),$(cut -d' ' -f1 /proc/loadavg)" | tee -a times.csv
        shift 2
    done
}
echo "what,median seconds,load average" | tee times.csv
run="run Add --input lhs=(1024,1024) --input rhs=(1024,1024) -k direction=forward --quick --quiet --retry no"
echo "$torch" > timer.py
times 3 \
    "opperf on NumPy" "$own/opperf $run --framework numpy" \
    "opperf on PyTorch" "$own/opperf $run --framework pytorch" \
    "pytest-benchmark" "$peers/pytest -q test_add.py" \
    "asv" "$peers/asv run --python=same --quick" \
    "pyperf" "$peers/pyperf timeit --fast -s '$add' 'np.add(a, b)'" \
    "hyperfine" "hyperfine -N --runs 10 true" \
    "torch.utils.benchmark" "$own/python timer.py"
times 5 \
    "help of opperf" "$own/opperf --help" \
    "help of asv" "$peers/asv --help" \
    "help of pytest with pytest-benchmark" "$peers/pytest --help" \
    "help of pyperf" "$peers/pyperf --help" \
    "help of hyperfine" "hyperfine --help" \
    "import of torch.utils.benchmark" "$own/python -c 'import torch.utils.benchmark'"
if [ -n "$tritonbench" ]; then
    cd "$tritonbench"
    times 3 "TritonBench" "$own/python run.py --op vector_add --device cpu --only torch_add --num-inputs 1"
    times 5 "help of TritonBench" "$own/python run.py --help"
fi
