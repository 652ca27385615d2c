"""Trains one of the lesson's networks in PyTorch, one thread, and prints the milliseconds of a step.

    python3 pytorch_step.py transformer|bilstm N_WARM_UP N_STEPS

The networks are those of the goldens, the step that of web/lesson/source/reverse_seq.py. The answer is one line of
JSON: {"ms": ..., "torch": version, "blas": the BLAS library that is loaded}.
"""
import json
import os
import re
import sys
import time

import torch
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
from make_goldens import TinyLSTM, TinyTransformer, V, batch  # noqa: E402 (found by the line above)

NETWORKS = {"transformer": TinyTransformer, "bilstm": TinyLSTM}


def loaded_blas():
    """The files of the BLAS libraries in this process, as the system sees them."""
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            names = {os.path.basename(os.path.realpath(line.split()[-1])) + (
                " (OpenBLAS)" if "openblas" in line else " (reference)" if "/blas/" in line else "")
                for line in maps if re.search(r"/lib(blas|openblas|mkl_rt|blis|atlas)[^/]*$", line.rstrip())}
    except OSError:
        return "unknown"
    return ", ".join(sorted(names)) or "built in"


def main():
    network, n_warm_up, n_steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    torch.set_num_threads(1)
    g = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    net = NETWORKS[network]()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)

    def train(steps):
        for _ in range(steps):
            x, y = batch(64, g)
            loss = nn.functional.cross_entropy(net(x).reshape(-1, V), y.reshape(-1))
            opt.zero_grad()
            loss.backward()
            opt.step()

    train(n_warm_up)
    begin = time.perf_counter()
    train(n_steps)
    ms = (time.perf_counter() - begin) * 1000 / n_steps
    print(json.dumps({"ms": ms, "torch": torch.__version__, "blas": loaded_blas()}))


if __name__ == "__main__":
    main()
