#!/usr/bin/env python3
"""Write the golden data files of the engine with PyTorch.

Usage
-----
    python3 make_goldens.py [--out DIR] [--only NAME[,NAME...]] [--list]

  --out DIR    where to write (default: the folder of this script)
  --only ...   run just these parts (names from --list)
  --list       print the names of the parts and stop

Needs PyTorch 1.13 (Debian 12: python3-torch, run with Debian's own python3)
and numpy.  One CPU thread is used, so a second run writes the same bytes on the
same CPU type.  All files together take about six minutes of CPU time; "train"
(the two full trainings, each also in float64) and "seed_7" (both scripts again) are nearly all of it.  With a newer PyTorch the random numbers are the
same but last digits of computed values can differ.

File format
-----------
Every file is one JSON object.  A tensor is

    {"shape": [..], "dtype": "float32"|"float64"|"int64", "data": [flat, row-major]}

float32 values are written with the shortest decimal that reads back to the
same float32 (parse as double, then round to float).  A computed float32 tensor
also has "err64": the largest absolute difference to the same computation in
float64 on the same inputs, and "max": its largest absolute value.  err64 is how
far float32 rounding alone moves this result; use it to set tolerances.

Files: rng, attention_check, posenc, transformer_init, lstm_init,
transformer_step, lstm_step, final, layers_attention, layers_mha, layers_basic,
layers_encoder, layers_lstm, adam, sessions, seed_7.  ("init" writes the two
*_init files, "train" the two *_step files and final.)
"""
import argparse
import copy
import contextlib
import io
import json
import math
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
L, V, D, B = 10, 10, 32, 64
HERE = Path(__file__).resolve().parent
SCRIPTS = HERE.parent.parent / "web" / "lesson" / "source"


# ---------------------------------------------------------------- writing

class Raw(str):
    """text put into the JSON as it is"""


def num(x):
    """shortest decimal that round-trips a float32 (or a float64)"""
    s = repr(float(x)) if isinstance(x, (float, np.float64)) else str(np.float32(x))
    assert "n" not in s, "no nan or inf in the goldens"
    if s.endswith(".0"):
        s = s[:-2]
    return s.replace("e-0", "e-").replace("e+0", "e+")


def T(t, ref=None):
    """tensor -> JSON object; ref: the same quantity computed in float64"""
    t = t.detach()
    a = t.contiguous().numpy()
    o = {"shape": list(a.shape), "dtype": str(a.dtype)}
    if ref is not None:
        r = ref.detach().double()
        assert r.shape == t.shape
        o["err64"] = float("%.2g" % (t.double() - r).abs().max().item())
        o["max"] = float("%.3g" % t.abs().max().item())
    if a.dtype == np.int64:
        o["data"] = Raw("[" + ",".join(str(v) for v in a.ravel().tolist()) + "]")
    else:
        o["data"] = Raw("[" + ",".join(num(v) for v in a.ravel()) + "]")
    return o


def dump(o, ind=0):
    if isinstance(o, Raw):
        return str(o)
    if isinstance(o, dict):
        if "data" in o and "shape" in o:                       # a tensor: one line
            return "{" + ",".join(json.dumps(k) + ":" + dump(v) for k, v in o.items()) + "}"
        pad = " " * (ind + 1)
        return "{\n" + ",\n".join(pad + json.dumps(k) + ": " + dump(v, ind + 1) for k, v in o.items()) \
            + "\n" + " " * ind + "}"
    if isinstance(o, (list, tuple)):
        return "[" + ",".join(dump(v) for v in o) + "]"
    return json.dumps(o, ensure_ascii=False)


OUT = None


def write(name, obj):
    obj = {"made_by": "tests/golden/make_goldens.py", "torch": torch.__version__, **obj}
    p = OUT / (name + ".json")
    p.write_text(dump(obj) + "\n", encoding="utf-8")
    json.loads(p.read_text(encoding="utf-8"))
    print(f"{name}.json {p.stat().st_size}")


# ---------------------------------------------------------------- the two networks of the lesson

def batch(n, g):
    x = torch.randint(0, V, (n, L), generator=g)
    return x, x.flip(1)


def pos_encoding(n, d):
    p = torch.arange(n).unsqueeze(1)
    w = torch.exp(-math.log(10000.0) * torch.arange(0, d, 2) / d)
    pe = torch.zeros(n, d)
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


NETS = [("transformer", TinyTransformer), ("lstm", TinyLSTM)]


def loss_of(net, x, y):
    return F.cross_entropy(net(x).reshape(-1, V), y.reshape(-1))


# ---------------------------------------------------------------- rng, lesson check, positions

def g_rng():
    o = {"about": "first values of the generator; each entry starts from a freshly seeded generator"}
    for s in (0, 1, 99, 12345):
        e = {"u32": Raw("[" + ",".join(str(int(v)) for v in np.random.RandomState(s)._bit_generator.random_raw(10)) + "]")}
        for n in (1, 5, 15, 16, 17, 24, 31, 32, 80, 100):
            e[f"randn_{n}"] = T(torch.randn(n, generator=torch.Generator().manual_seed(s)))
        G = lambda: torch.Generator().manual_seed(s)
        e["rand_20"] = T(torch.rand(20, generator=G()))
        e["uniform_-0.3_0.7_20"] = T(torch.empty(20).uniform_(-0.3, 0.7, generator=G()))
        b = 1 / math.sqrt(48)
        e["uniform_-1/sqrt48_1/sqrt48_20"] = T(torch.empty(20).uniform_(-b, b, generator=G()))
        e["randint_0_10_4x10"] = T(torch.randint(0, 10, (4, 10), generator=G()))
        e["randint_0_7_20"] = T(torch.randint(0, 7, (20,), generator=G()))
        g = G()
        e["sequence"] = {"about": "one generator: randn(3), rand(2), randn(20), randn(2), randn(1), in this order, joined"}
        e["sequence"]["values"] = T(torch.cat([torch.randn(3, generator=g), torch.rand(2, generator=g),
                                               torch.randn(20, generator=g), torch.randn(2, generator=g),
                                               torch.randn(1, generator=g)]))
        o[f"seed_{s}"] = e
    write("rng", o)


def g_attention_check():
    torch.manual_seed(0)
    n, d = 5, 16
    Q, K, Vv = torch.randn(n, d), torch.randn(n, d), torch.randn(n, d)

    def attention(Q, K, V, causal=False):
        S = Q @ K.T / math.sqrt(K.shape[-1])
        if causal:
            S = S.masked_fill(torch.ones(n, n).triu(1).bool(), float("-inf"))
        A = torch.softmax(S, dim=-1)
        return A @ V, A
    q64, k64, v64 = Q.double(), K.double(), Vv.double()
    o = {"about": "lesson script attention_check, torch.manual_seed(0)", "Q": T(Q), "K": T(K), "V": T(Vv)}
    for c, suf in ((False, ""), (True, "_c")):
        (out, A), (out6, A6) = attention(Q, K, Vv, c), attention(q64, k64, v64, c)
        o["out" + suf], o["A" + suf] = T(out, out6), T(A, A6)
        ref = F._scaled_dot_product_attention(Q, K, Vv, is_causal=c)[0]
        assert torch.allclose(out, ref, atol=1e-6)
        o["builtin_out" + suf] = T(ref)
    o["A_c_printed_2_decimals"] = T(attention(Q, K, Vv, True)[1].round(decimals=2))
    st = {"about": "var: unbiased variance of 10000 dot products; max_raw / max_scaled: mean over 1000x8 rows of the "
                   "largest softmax weight of S and of S/sqrt(d); *_64: same random numbers, float64 arithmetic; "
                   "q0,k0,s0,t0: first 4 values of the four draws"}
    for d in (4, 64, 512):
        q, k = torch.randn(10000, d), torch.randn(10000, d)
        a, b = torch.randn(1000, 8, d), torch.randn(1000, d, 8)
        top = lambda s: torch.softmax(s, -1).max(-1).values.mean().item()
        S, S6 = a @ b, a.double() @ b.double()
        var, raw, sc = (q * k).sum(1).var().item(), top(S), top(S / math.sqrt(d))
        st[f"d_{d}"] = {"var": var, "max_raw": raw, "max_scaled": sc,
                        "var_64": (q.double() * k.double()).sum(1).var().item(),
                        "max_raw_64": top(S6), "max_scaled_64": top(S6 / math.sqrt(d)),
                        "printed": f"{var:6.1f} {raw:.2f} {sc:.2f}",
                        "q0": T(q.flatten()[:4]), "k0": T(k.flatten()[:4]), "s0": T(a.flatten()[:4]), "t0": T(b.flatten()[:4])}
    o["stats"] = st
    write("attention_check", o)


def pe64(n, d):
    p = torch.arange(n, dtype=torch.float64).unsqueeze(1)
    w = torch.exp(-math.log(10000.0) * torch.arange(0, d, 2, dtype=torch.float64) / d)
    return torch.stack([torch.sin(p * w), torch.cos(p * w)], -1).reshape(n, d)


def g_posenc():
    pe, d = pos_encoding(48, 32), 32
    p6 = pe64(48, 32)
    w = torch.exp(-math.log(10000.0) * torch.arange(0, d, 2) / d)
    o = {"about": "sinusoidal positions PE[p,2i]=sin(p*w_i), PE[p,2i+1]=cos(p*w_i), w_i=exp(-ln(10000)*2i/d)",
         "w_32": T(w, torch.exp(-math.log(10000.0) * torch.arange(0, d, 2, dtype=torch.float64) / d)),
         "pe_48x32": T(pe, p6), "pe_10x32": T(pos_encoding(10, 32), pe64(10, 32)),
         "pe_7x6": T(pos_encoding(7, 6), pe64(7, 6))}
    dots, d6 = pe @ pe.T / (d / 2), p6 @ p6.T / (d / 2)
    for p in (0, 10, 24):
        o[f"dot_p{p}"] = T(dots[p], d6[p])
    o["dot_about"] = "dot_pP[j] = PE(P).PE(j)/(d/2), j=0..47 (k=j-P); depends only on |k|; curve64[k] is the exact value, k=0..47"
    o["curve64"] = T(d6[0])
    o["dot_shift_invariance_f32"] = max((dots[p, p + k] - d6[0, k]).abs().item() for p in range(48) for k in range(48 - p))
    write("posenc", o)


# ---------------------------------------------------------------- initial parameters, first step, training

def g_init():
    for name, Net in NETS:
        torch.manual_seed(0)
        net = Net()
        after = torch.randint(0, 1000000, (4,))
        write(name + "_init", {"about": f"{Net.__name__}() right after torch.manual_seed(0); every parameter under its state_dict name",
                               "n_params": sum(p.numel() for p in net.parameters()),
                               "next_randint_0_1000000": T(after),
                               "params": {k: T(v) for k, v in net.named_parameters()}})


KEEP = set(range(1, 51)) | {100, 250, 500, 1000, 1500}


def train_one(Net, batches, dtype, seed=0):
    torch.manual_seed(seed)
    net = Net().to(dtype)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    losses, first = [], {}
    for step, (x, y) in enumerate(batches, 1):
        logits = net(x)
        loss = F.cross_entropy(logits.reshape(-1, V), y.reshape(-1))
        opt.zero_grad()
        loss.backward()
        if step == 1:
            first = {"logits": logits.detach()[:2].clone(), "loss": loss.detach().clone(),
                     "grads": {k: p.grad.clone() for k, p in net.named_parameters()}}
        opt.step()
        if step == 1:
            first["params"] = {k: p.detach().clone() for k, p in net.named_parameters()}
        losses.append(loss.item())
    return net, losses, first


def g_train():
    g = torch.Generator().manual_seed(0)
    xt, yt = batch(2000, torch.Generator().manual_seed(99))
    final = {"about": "full run of the lesson script reverse_seq: 1500 steps of 64, one Generator(0) for both networks "
                      "(the LSTM takes batches 1501..3000), test set from Generator(99); *_64: same parameters and batches, float64",
             "test_x_first5": T(xt[:5])}
    for name, Net in NETS:
        batches = [batch(B, g) for _ in range(1500)]
        net, losses, first = train_one(Net, batches, torch.float32)
        net6, losses6, first6 = train_one(Net, batches, torch.float64)
        o = {"about": "first batch, then one Adam step (lr 3e-3); step k: loss of batch k before update k (k from 1)",
             "x": T(batches[0][0]), "next_batch_x_first2": T(batches[1][0][:2]), "last_batch_x_first2": T(batches[-1][0][:2]), "loss": T(first["loss"].reshape(1), first6["loss"].reshape(1)),
             "logits_first2": T(first["logits"], first6["logits"]),
             "losses": {str(k): losses[k - 1] for k in sorted(KEEP)},
             "losses_64": {str(k): losses6[k - 1] for k in sorted(KEEP)},
             "mean_loss_last_100": sum(losses[-100:]) / 100, "mean_loss_last_100_64": sum(losses6[-100:]) / 100,
             "grads": {k: T(v, first6["grads"][k]) for k, v in first["grads"].items()}}
        if name == "transformer":
            o["params_after_1_step"] = {k: T(v, first6["params"][k]) for k, v in first["params"].items()}
        else:                                    # the LSTM's big tensors: first 64 values each, to stay small
            o["params_after_1_step_about"] = "tensors of more than 2000 values: the first 256 only, shape [256]"
            o["params_after_1_step"] = {k: T(v if v.numel() <= 2000 else v.flatten()[:256],
                                             first6["params"][k] if v.numel() <= 2000 else first6["params"][k].flatten()[:256])
                                        for k, v in first["params"].items()}
        write(name + "_step", o)
        r = {}
        with torch.no_grad():
            for suf, m in (("", net), ("_64", net6)):
                pred = m(xt).argmax(-1)
                r["tokens_correct_of_20000" + suf] = int((pred == yt).sum())
                r["sequences_correct_of_2000" + suf] = int((pred == yt).all(1).sum())
                tok, seq = (pred == yt).float().mean().item(), (pred == yt).all(1).float().mean().item()
                r["printed" + suf] = f"{tok:.1%} {seq:.1%}"
                r["test_loss" + suf] = loss_of(m, xt, yt).item()
            r["n_params"] = sum(p.numel() for p in net.parameters())
            if name == "transformer":
                w, w6 = net(xt[:1], need_att=True)[1], net6(xt[:1], need_att=True)[1]
                r["att"] = T(w[0], w6[0])
                r["x"] = T(xt[0])
                anti = lambda a: a.flip(-1).diagonal(dim1=-2, dim2=-1)
                r["anti_diagonal_mean_first_test_sample"] = anti(w[0]).mean().item()
                r["anti_diagonal_mean_first_test_sample_64"] = anti(w6[0]).mean().item()
                wa = net(xt, need_att=True)[1]
                r["anti_diagonal_mean_all_2000"] = anti(wa).double().mean().item()
        r["printed_in_the_lesson"] = "100.0% 100.0%" if name == "transformer" else "95.0% 61.1%"
        final[name] = r
    write("final", final)


# ---------------------------------------------------------------- layers

def both(fn, ins, params=None):
    """Run fn(ins, params) -> dict of outputs in float32 and float64; backward with the given cotangents.

    ins: tensors that need gradients; fn returns (outputs, scalar) - the scalar is what is differentiated."""
    res = []
    for dt in (torch.float32, torch.float64):
        i = {k: v.detach().clone().to(dt).requires_grad_() for k, v in ins.items()}
        p = {k: v.detach().clone().to(dt).requires_grad_() for k, v in (params or {}).items()}
        outs, scalar = fn(i, p, dt)
        scalar.backward()
        r = {k: v for k, v in outs.items()}
        r.update({"d_" + k: v.grad for k, v in {**i, **p}.items()})
        res.append(r)
    return {k: T(v, res[1][k]) for k, v in res[0].items()}


def seeded(s):
    return torch.Generator().manual_seed(s)


def rn(g, *shape):
    return torch.randn(*shape, generator=g)


def call(module, dt, p, *a, **k):
    m = copy.deepcopy(module).to(dt)
    return torch.nn.utils.stateless.functional_call(m, p, a, k)


def g_layers_attention():
    o = {"about": "softmax(Q K^T / sqrt(d)) V, weights A; scalar = sum(out*dout); d_Q etc. are its gradients"}
    for name, (b, lq, lk, d, dv, causal) in {"plain": (2, 5, 7, 6, 4, False), "causal": (2, 6, 6, 8, 8, True),
                                              "one_query": (1, 1, 9, 3, 5, False)}.items():
        g = seeded(11)
        ins = {"Q": rn(g, b, lq, d), "K": rn(g, b, lk, d), "V": rn(g, b, lk, dv)}
        do = rn(g, b, lq, dv)

        def fn(i, p, dt):
            S = i["Q"] @ i["K"].transpose(-1, -2) / math.sqrt(d)
            if causal:
                S = S.masked_fill(torch.ones(lq, lk).triu(1).bool(), float("-inf"))
            A = torch.softmax(S, -1)
            out = A @ i["V"]
            return {"A": A, "out": out}, (out * do.to(dt)).sum()
        o[name] = {"causal": causal, **{k: T(v) for k, v in ins.items()}, "dout": T(do), **both(fn, ins)}
        ref = F._scaled_dot_product_attention(*ins.values(), is_causal=causal)[0] if d == dv else None
        if ref is not None:
            A = torch.softmax((ins["Q"] @ ins["K"].transpose(-1, -2) / math.sqrt(d)).masked_fill(
                torch.ones(lq, lk).triu(1).bool() if causal else torch.zeros(lq, lk).bool(), float("-inf")), -1)
            assert torch.allclose(A @ ins["V"], ref, atol=1e-6)
    write("layers_attention", o)


def g_layers_mha():
    E, b, l = 32, 2, 7
    g = seeded(21)
    params = {"in_proj_weight": rn(g, 3 * E, E) * 0.25, "in_proj_bias": rn(g, 3 * E) * 0.1,
              "out_proj.weight": rn(g, E, E) * 0.2, "out_proj.bias": rn(g, E) * 0.1}
    x, do = rn(g, b, l, E), rn(g, b, l, E)
    q = rn(g, b, 5, E)
    o = {"about": "nn.MultiheadAttention, E=32, batch 2, L 7, batch_first; self attention query=key=value=x; A has shape (batch, heads, Lq, Lk); "
                  "scalar = sum(out*dout); case 'cross_h2': query (L 5) differs from key=value=x, dout = first 5 rows of dout per sample",
         "params": {k: T(v) for k, v in params.items()}, "x": T(x), "dout": T(do), "query": T(q)}
    for name, (h, causal, cross) in {"h1": (1, False, False), "h2": (2, False, False), "h4": (4, False, False), "h8": (8, False, False),
                                     "h4_causal": (4, True, False), "cross_h2": (2, False, True)}.items():
        mha = nn.MultiheadAttention(E, h, batch_first=True)
        mask = torch.ones(l, l).triu(1).bool() if causal else None

        def fn(i, p, dt):
            query = i["query"] if cross else i["x"]
            out, A = call(mha, dt, p, query, i["x"], i["x"], attn_mask=mask, average_attn_weights=False)
            return {"out": out, "A": A}, (out * do.to(dt)[:, :query.shape[1]]).sum()
        o[name] = {"heads": h, "causal": causal, **both(fn, {"x": x, "query": q} if cross else {"x": x}, params)}
    write("layers_mha", o)


def g_layers_basic():
    o = {"about": "scalar = sum(out*dout) (cross entropy: the mean loss); d_X: its gradient"}
    g = seeded(31)
    x, w, bb, do = rn(g, 2, 7, 32) * 2 + 0.5, rn(g, 32) * 0.3 + 1, rn(g, 32) * 0.2, rn(g, 2, 7, 32)

    def ln(i, p, dt):
        y = F.layer_norm(i["x"], (32,), p["weight"], p["bias"], 1e-5)
        return {"out": y}, (y * do.to(dt)).sum()
    o["layer_norm"] = {"eps": 1e-5, "x": T(x), "dout": T(do), "params": {"weight": T(w), "bias": T(bb)},
                       **both(ln, {"x": x}, {"weight": w, "bias": bb})}
    g = seeded(32)
    x5, do5 = rn(g, 3, 5), rn(g, 3, 5)
    x5[1] = 1e-3 * x5[1]
    x5[2] = 100 + x5[2]
    lw, lb = rn(g, 5), rn(g, 5)

    def ln5(i, p, dt):
        y = F.layer_norm(i["x"], (5,), p["weight"], p["bias"], 1e-5)
        return {"out": y}, (y * do5.to(dt)).sum()
    o["layer_norm_hard"] = {"about": "row 1 small (eps matters), row 2 far from 0", "eps": 1e-5, "x": T(x5), "dout": T(do5),
                            "params": {"weight": T(lw), "bias": T(lb)}, **both(ln5, {"x": x5}, {"weight": lw, "bias": lb})}
    g = seeded(33)
    x, do = rn(g, 2, 7, 16), rn(g, 2, 7, 16)
    P = {"0.weight": rn(g, 24, 16) * 0.3, "0.bias": rn(g, 24) * 0.2, "2.weight": rn(g, 16, 24) * 0.3, "2.bias": rn(g, 16) * 0.2}
    o["feed_forward"] = {"about": "Linear(16,24), activation, Linear(24,16); gelu is the exact erf form", "x": T(x), "dout": T(do),
                         "params": {k: T(v) for k, v in P.items()}}
    for act in ("relu", "gelu"):
        def ff(i, p, dt):
            h = getattr(F, act)(F.linear(i["x"], p["0.weight"], p["0.bias"]))
            y = F.linear(h, p["2.weight"], p["2.bias"])
            return {"out": y}, (y * do.to(dt)).sum()
        o["feed_forward"][act] = both(ff, {"x": x}, P)
    xs = torch.linspace(-6, 6, 49)
    for nm, kw in (("gelu", {}), ("gelu_tanh", {"approximate": "tanh"})):
        def ge(i, p, dt):
            y = F.gelu(i["x"], **kw)
            return {"out": y}, y.sum()
        o[nm] = {"x": T(xs), **both(ge, {"x": xs})}
    g = seeded(34)
    lg, tg = rn(g, 6, 10) * 3, torch.randint(0, 10, (6,), generator=g)
    big = torch.tensor([[80., -80., 0., 3.], [1000., 999., -1000., 0.], [-5., -5., -5., -5.]])
    for nm, l_, t_ in (("cross_entropy", lg, tg), ("cross_entropy_large", big, torch.tensor([0, 1, 3]))):
        def ce(i, p, dt):
            loss = F.cross_entropy(i["logits"], t_)
            return {"loss": loss.reshape(1), "log_softmax": F.log_softmax(i["logits"], -1)}, loss
        o[nm] = {"logits": T(l_), "target": T(t_), **both(ce, {"logits": l_})}
    g = seeded(35)
    e, ix, do = rn(g, 6, 4), torch.randint(0, 6, (3, 5), generator=g), rn(g, 3, 5, 4)

    def emb(i, p, dt):
        y = F.embedding(ix, p["weight"])
        return {"out": y}, (y * do.to(dt)).sum()
    o["embedding"] = {"x": T(ix), "dout": T(do), "params": {"weight": T(e)}, **both(emb, {}, {"weight": e})}
    write("layers_basic", o)


def rand_params(m, g):
    """random parameters, biases and norm weights included, so nothing is 0 or 1 by default"""
    r = {}
    for k, p in m.named_parameters():
        z = torch.randn(p.shape, generator=g)
        r[k] = 1 + 0.2 * z if ("norm" in k and k.endswith("weight")) else (0.1 * z if p.dim() == 1 else z / math.sqrt(p.shape[1]))
    return r


def g_layers_encoder():
    d, ffd, b, l = 16, 24, 2, 7
    o = {"about": "nn.TransformerEncoderLayer(16, heads, 24, dropout 0, batch_first); post norm: x=norm1(x+sa(x)); x=norm2(x+ff(x)); "
                  "pre norm: x=x+sa(norm1(x)); x=x+ff(norm2(x)); scalar = sum(out*dout)"}
    g = seeded(41)
    x, do = rn(g, b, l, d), rn(g, b, l, d)
    o["x"], o["dout"] = T(x), T(do)
    lay = lambda h, pre, act: nn.TransformerEncoderLayer(d, h, ffd, dropout=0.0, activation=act, batch_first=True, norm_first=pre)
    P = rand_params(lay(4, False, "relu"), g)
    o["params"] = {k: T(v) for k, v in P.items()}
    mask = torch.full((l, l), float("-inf")).triu(1)
    for name, (h, pre, act, m) in {"post_norm_h4_relu": (4, False, "relu", None), "pre_norm_h2_gelu": (2, True, "gelu", None),
                                    "pre_norm_h4_relu_causal": (4, True, "relu", mask)}.items():
        layer = lay(h, pre, act)

        def fn(i, p, dt):
            y = call(layer, dt, p, i["x"], src_mask=None if m is None else m.to(dt))
            return {"out": y}, (y * do.to(dt)).sum()
        o[name] = {"heads": h, "norm_first": pre, "activation": act, "causal": m is not None, **both(fn, {"x": x}, P)}
    enc = nn.TransformerEncoder(lay(2, True, "gelu"), 2, norm=nn.LayerNorm(d), enable_nested_tensor=False)
    P2 = rand_params(enc, g)

    def fn2(i, p, dt):
        y = call(enc, dt, p, i["x"], mask=mask.to(dt))
        return {"out": y}, (y * do.to(dt)).sum()
    o["two_layers_causal"] = {"about": "two pre-norm layers (2 heads, gelu, causal), then a final LayerNorm; names layers.N.*, norm.*",
                              "params": {k: T(v) for k, v in P2.items()}, **both(fn2, {"x": x}, P2)}
    write("layers_encoder", o)


def g_layers_lstm():
    I, H, b, l = 5, 6, 3, 7
    g = seeded(51)
    o = {"about": "nn.LSTM(5, 6, batch_first), gates in the order i,f,g,o, zero initial state; scalar = sum(out*dout) + sum(h_n*dh) + sum(c_n*dc)"}
    x = rn(g, b, l, I)
    o["x"] = T(x)
    for name, bi in (("one_direction", False), ("bidirectional", True)):
        rnn = nn.LSTM(I, H, batch_first=True, bidirectional=bi)
        P = {k: rn(g, *p.shape) * 0.4 for k, p in rnn.named_parameters()}
        do, dh, dc = rn(g, b, l, H * (1 + bi)), rn(g, 1 + bi, b, H), rn(g, 1 + bi, b, H)

        def fn(i, p, dt):
            m = copy.deepcopy(rnn).to(dt)
            m._flat_weights = [p[k] for k in m._flat_weights_names]      # functional_call does not reach these
            y, (h, c) = m(i["x"])
            return {"out": y, "h_n": h, "c_n": c}, (y * do.to(dt)).sum() + (h * dh.to(dt)).sum() + (c * dc.to(dt)).sum()
        o[name] = {"params": {k: T(v) for k, v in P.items()}, "dout": T(do), "dh": T(dh), "dc": T(dc), **both(fn, {"x": x}, P)}
    write("layers_lstm", o)


def g_adam():
    g = seeded(61)
    p0 = rn(g, 8)
    gr = [rn(g, 8) for _ in range(3)]
    for t in gr:
        t[0], t[1], t[2] = 0.0, 1e-10 * t[1], 1e-8 * t[2]           # no gradient; far below eps; at eps
    o = {"about": "torch.optim.Adam, betas 0.9 0.999, eps 1e-8, no weight decay; 3 steps with the given gradients; "
                  "m: exp_avg, v: exp_avg_sq", "p0": T(p0), "grads": T(torch.stack(gr))}
    for lr in (3e-3, 1e-3):
        res = []
        for dt in (torch.float32, torch.float64):
            p = p0.clone().to(dt).requires_grad_()
            opt = torch.optim.Adam([p], lr=lr)
            rows = []
            for t in gr:
                p.grad = t.clone().to(dt)
                opt.step()
                s = opt.state[p]
                rows.append((p.detach().clone(), s["exp_avg"].clone(), s["exp_avg_sq"].clone()))
            res.append([torch.stack(c) for c in zip(*rows)])
        o[f"lr_{lr}"] = {k: T(a, b_) for k, a, b_ in zip(("p", "m", "v"), res[0], res[1])}
    write("adam", o)

# ---------------------------------------------------------------- whole models beyond the lesson's

class DeepTransformer(nn.Module):
    """The lesson's network with several nn.TransformerEncoderLayer, each constructed on its own.

    Drawn in this order: emb; per layer out_proj.weight, out_proj.bias (then set to 0), in_proj_weight,
    linear1 weight and bias, linear2 weight and bias; out weight and bias.  nn.TransformerEncoder would
    copy one drawn layer instead."""

    def __init__(self, vocab, seq_len, d_model, n_heads, d_ff, n_layers, norm_first, activation, causal):
        super().__init__()
        self.emb = nn.Embedding(vocab, d_model)
        self.register_buffer("pe", pos_encoding(seq_len, d_model))
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout=0.0, activation=activation,
                                                                batch_first=True, norm_first=norm_first)
                                     for _ in range(n_layers)])
        self.norm = nn.LayerNorm(d_model) if norm_first else None
        self.out = nn.Linear(d_model, vocab)
        self.register_buffer("mask", torch.full((seq_len, seq_len), float("-inf")).triu(1) if causal else None)

    def forward(self, x):
        h = self.emb(x) + self.pe
        for layer in self.layers:
            h = layer(h, src_mask=self.mask)
        return self.out(h if self.norm is None else self.norm(h))


def g_sessions():
    size = {"vocab_size": 6, "seq_len": 7, "d_model": 16, "d_ff": 24, "n_layers": 2}
    run = {"task": "reverse", "batch_size": 8, "learning_rate": 3e-3, "init_seed": 3, "data_seed": 5}
    o = {"about": "whole models: initial parameters, then 30 Adam steps on batches of the data generator; logits_first2, loss and "
                  "grads belong to batch 1 before any update, params_after_1_step to the state after it; step k of losses: batch k "
                  "before update k; the gradient of the key bias (the middle third of in_proj_bias) is exactly 0 but for rounding"}
    for name, kind in {"pre_norm_causal_gelu": {"n_heads": 2, "norm_first": True, "activation": "gelu", "causal": True},
                       "post_norm_relu": {"n_heads": 4, "norm_first": False, "activation": "relu", "causal": False}}.items():
        g = torch.Generator().manual_seed(run["data_seed"])
        batches = [torch.randint(0, size["vocab_size"], (run["batch_size"], size["seq_len"]), generator=g) for _ in range(30)]
        res = {}
        for dt in (torch.float32, torch.float64):
            torch.manual_seed(run["init_seed"])
            net = DeepTransformer(size["vocab_size"], size["seq_len"], size["d_model"], kind["n_heads"], size["d_ff"],
                                  size["n_layers"], kind["norm_first"], kind["activation"], kind["causal"]).to(dt)
            after = torch.randint(0, 1000000, (4,))
            r = {"init": {k: p.detach().clone() for k, p in net.named_parameters()}, "after": after, "losses": []}
            opt = torch.optim.Adam(net.parameters(), lr=run["learning_rate"])
            for step, x in enumerate(batches, 1):
                logits = net(x)
                loss = F.cross_entropy(logits.reshape(-1, size["vocab_size"]), x.flip(1).reshape(-1))
                opt.zero_grad()
                loss.backward()
                if step == 1:
                    r.update(logits=logits.detach()[:2].clone(), loss=loss.detach().reshape(1),
                             grads={k: p.grad.clone() for k, p in net.named_parameters()})
                opt.step()
                if step == 1:
                    r["step"] = {k: p.detach().clone() for k, p in net.named_parameters()}
                r["losses"].append(loss.item())
            res[dt] = r
        r, r6 = res[torch.float32], res[torch.float64]
        o[name] = {"config": {**size, **kind, **run}, "n_params": sum(p.numel() for p in r["init"].values()),
                   "next_randint_0_1000000": T(r["after"]), "x": T(batches[0]), "last_batch_x_first2": T(batches[-1][:2]),
                   "params": {k: T(v) for k, v in r["init"].items()},
                   "logits_first2": T(r["logits"], r6["logits"]), "loss": T(r["loss"], r6["loss"]),
                   "grads": {k: T(v, r6["grads"][k]) for k, v in r["grads"].items()},
                   "params_after_1_step": {k: T(v, r6["step"][k]) for k, v in r["step"].items()},
                   "losses": r["losses"], "losses_64": r6["losses"]}
    write("sessions", o)


# ---------------------------------------------------------------- the lesson's scripts with another seed

def run_script(name, seed, patches):
    """Runs a script of the lesson as it stands, every seed 0 replaced; returns its lines and its variables."""
    text = (SCRIPTS / name).read_text(encoding="utf-8")
    assert "manual_seed(0)" in text
    text = text.replace("manual_seed(0)", f"manual_seed({seed})")
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed), contextlib.ExitStack() as stack:
        for attribute, value in patches.items():
            stack.callback(setattr, F, attribute, getattr(F, attribute, None))
            setattr(F, attribute, value)
        variables = {"__file__": str(Path(folder) / name), "__name__": "__main__"}
        exec(compile(text, name, "exec"), variables)
    return printed.getvalue().splitlines(), variables


def g_seed_7():
    seed = 7

    def builtin(query, key, value, is_causal=False):              # PyTorch 2's public name for it
        return F._scaled_dot_product_attention(query, key, value, is_causal=is_causal)[0]
    lines, v = run_script("attention_check.py", seed, {"scaled_dot_product_attention": builtin})
    check = {"printed": lines}
    for suffix, causal in (("", False), ("_c", True)):
        check["builtin_out" + suffix] = T(builtin(v["Q"], v["K"], v["V"], causal))
        out6, A6 = v["attention"](v["Q"].double(), v["K"].double(), v["V"].double(), causal)
        check["out" + suffix], check["A" + suffix] = T(v["out" + suffix], out6), T(v["A" + suffix], A6)
    torch.manual_seed(seed)
    torch.randn(3 * 80)
    check["stats"] = {}
    for d in (4, 64, 512):
        dots = (torch.randn(10000, d) * torch.randn(10000, d)).sum(1)
        S = torch.randn(1000, 8, d) @ torch.randn(1000, d, 8)
        check["stats"][f"d_{d}"] = {"var": dots.var().item(), "max_raw": v["top"](S), "max_scaled": v["top"](S / math.sqrt(d))}

    losses = []
    cross_entropy = F.cross_entropy

    def recorded(*a):
        losses.append(cross_entropy(*a))
        return losses[-1]
    lines, v = run_script("reverse_seq.py", seed, {"cross_entropy": recorded})
    losses = [loss.item() for loss in losses]
    reverse = {"printed": lines, "att": v["result"]["att"], "x": v["result"]["x"]}
    xt, yt = v["xt"], v["yt"]
    g = seeded(seed)
    batches = [batch(B, g) for _ in range(3000)]
    for i, (name, Net) in enumerate(NETS):
        part = batches[1500 * i:1500 * (i + 1)]
        net, own, _ = train_one(Net, part, torch.float32, seed)
        assert own == losses[1500 * i:1500 * (i + 1)]             # the same training as the script's
        pred = net(xt).argmax(-1)
        r = {"tokens_correct_of_20000": int((pred == yt).sum()), "sequences_correct_of_2000": int((pred == yt).all(1).sum()),
             "test_loss": loss_of(net, xt, yt).item(), "losses": {str(k): own[k - 1] for k in sorted(KEEP)}}
        if name == "transformer":
            net6, own6, _ = train_one(Net, part, torch.float64, seed)
            w, w6 = net(xt[:1], need_att=True)[1], net6(xt[:1], need_att=True)[1]
            assert w[0].tolist() == reverse["att"]
            r.update(losses_64={str(k): own6[k - 1] for k in sorted(KEEP)}, att=T(w[0], w6[0]), x=T(xt[0]),
                     anti_diagonal_mean_first_test_sample=w[0].flip(-1).diagonal().mean().item())
        reverse[name] = r
    del reverse["att"], reverse["x"]                              # kept once, as tensors
    write("seed_7", {"about": "both scripts of the lesson run with seed 7 in the place of every seed 0 (test data keep 99): printed lines, "
                              "results, and PyTorch's own attention (builtin_out); stats as in attention_check.json",
                     "seed": seed, "attention_check": check, "reverse_seq": reverse})


ALL = {"rng": g_rng, "attention_check": g_attention_check, "posenc": g_posenc, "init": g_init, "train": g_train,
       "layers_attention": g_layers_attention, "layers_mha": g_layers_mha, "layers_basic": g_layers_basic,
       "layers_encoder": g_layers_encoder, "layers_lstm": g_layers_lstm, "adam": g_adam,
       "sessions": g_sessions, "seed_7": g_seed_7}


def main():
    global OUT
    ap = argparse.ArgumentParser(description="Write the golden data files (see the docstring).")
    ap.add_argument("--out", default=str(HERE))
    ap.add_argument("--only", default="")
    ap.add_argument("--list", action="store_true")
    a = ap.parse_args()
    if a.list:
        print("\n".join(ALL))
        return
    names = [n for n in a.only.split(",") if n] or list(ALL)
    bad = [n for n in names if n not in ALL]
    if bad:
        sys.exit("unknown: " + ", ".join(bad) + " (see --list)")
    OUT = Path(a.out)
    OUT.mkdir(parents=True, exist_ok=True)
    for n in names:
        ALL[n]()


if __name__ == "__main__":
    main()
