"""Trains one of the lesson's networks in PyTorch, one thread, and prints the milliseconds of a step.

    python3 pytorch_step.py transformer|bilstm N_WARM_UP N_STEPS

The networks and their step are those of web/lesson/source/reverse_seq.py. The answer is one line of
JSON: {"ms": ..., "torch": version, "blas": the BLAS library that is loaded}.
"""
import json
import math
import os
import re
import sys
import time

import torch
from torch import nn

L, V, D = 10, 10, 32


def batch(n, g):
    x = torch.randint(0, V, (n, L), generator=g)
    return x, x.flip(1)


def pos_encoding(L, d):
    p = torch.arange(L).unsqueeze(1)
    w = torch.exp(-math.log(10000.0) * torch.arange(0, d, 2) / d)
    pe = torch.zeros(L, d)
    pe[:, 0::2], pe[:, 1::2] = torch.sin(p * w), torch.cos(p * w)
    return pe


class TinyTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, D)
        self.register_buffer("pe", pos_encoding(L, D))
        self.att = nn.MultiheadAttention(D, num_heads=1, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(D, 64), nn.ReLU(), nn.Linear(64, D))
        self.n1, self.n2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.out = nn.Linear(D, V)

    def forward(self, x, need_att=False):
        h = self.emb(x) + self.pe
        a, w = self.att(h, h, h, need_weights=need_att)
        h = self.n1(h + a)
        h = self.n2(h + self.ff(h))
        return (self.out(h), w) if need_att else self.out(h)


class TinyLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, D)
        self.rnn = nn.LSTM(D, 48, batch_first=True, bidirectional=True)
        self.out = nn.Linear(96, V)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


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
