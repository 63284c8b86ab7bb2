"""Opens a model of pacia in Python: a checkpoint, or what `pacia export` wrote.

    import pacia
    model = pacia.Model("model.safetensors")
    task = model.adapt(support, labels)     # SMILES, and 1 or 0 of each
    p = task.predict(library)               # P(active) of each SMILES; NaN of one that RDKit cannot read

It needs PyTorch, NumPy and RDKit, and nothing of pacia's program. On the command line:

    python3 pacia.py model.safetensors support.csv library.csv > scores.csv

Scores are those of `pacia predict --as-drawn --set precision=float32`, to 1e-4: molecules are read as they are
drawn, and not as the parents of salts. Of a model that compares vectors
of MiniMol, as the one that ships does, they are those with `--set model.minimol=false`. It reads the methods `kernel`
(the model that ships), `proto` and `pacia` with the encoders `gin`, `fingerprint` and
`gin+fingerprint`, and says so of all others. Nothing here trains; adapting is a forward pass of the
support set. Each part names the package of Go whose arithmetic it follows, here in float64.

Legend: n molecules of a batch, A atoms, E edges, N support molecules, Q queries, d a width.
"""

import csv
import hashlib
import json
import sys

import numpy as np
import torch
import torch.nn.functional as F
from rdkit import Chem, rdBase
from rdkit.Chem import rdFingerprintGenerator

BITS = 2048  # counts of a fingerprint
TOGETHER = 512  # queries of a batch
LONGEST, LARGEST = 3000, 1000  # characters of a SMILES, and atoms of a molecule


# Files: package safetensors, and the settings that package runconfig writes.

def read(path):
    """Returns the tensors of a safetensors file, as float64, and its metadata."""
    with open(path, "rb") as f:
        content = f.read()
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > len(content) - 8:
        raise ValueError(f"{path}: no safetensors file, or one that is cut short")
    header = json.loads(content[8:8 + size])
    about = header.pop("__metadata__", {})
    digits = about.get("checksum", "").encode()
    if len(digits) == 64:  # of the file in which they are zeros
        if hashlib.sha256(content.replace(digits, b"0" * 64, 1)).hexdigest().encode() != digits:
            raise ValueError(f"{path}: the file is damaged; its checksum does not fit")
    tensors = {}
    for name, t in header.items():
        kind = {"F32": "<f4", "F16": "<f2"}[t["dtype"]]
        first, end = (8 + size + at for at in t["data_offsets"])
        values = np.frombuffer(content[first:end], kind).astype(np.float64)
        tensors[name] = torch.from_numpy(values.reshape(t["shape"]))
    return tensors, about


def settings(text):
    """Returns settings by their whole names, such as model.relation.layers, of the YAML of a model."""
    found, path = {}, []
    for line in text.splitlines():
        key, colon, value = line.strip().partition(":")
        if not colon:
            continue
        indent = len(line) - len(line.lstrip())
        path = [p for p in path if p[0] < indent] + [(indent, key)]
        found[".".join(name for _, name in path)] = value.strip().strip("\"'")
    return found


# Molecules: packages data/rdkit and data.

BONDS = {Chem.BondType.SINGLE: 0, Chem.BondType.DOUBLE: 1, Chem.BondType.TRIPLE: 2, Chem.BondType.AROMATIC: 3}
DIRECTIONS = {Chem.BondDir.ENDUPRIGHT: 1, Chem.BondDir.ENDDOWNRIGHT: 2}
CHIRALITIES = {Chem.ChiralType.CHI_TETRAHEDRAL_CW: 1, Chem.ChiralType.CHI_TETRAHEDRAL_CCW: 2}
MORGAN = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=BITS)


class Molecules:
    """A batch of molecules of RDKit: graphs, and counts of Morgan fingerprints [n, 2048]."""

    def __init__(self, mols):
        atoms, ends, bonds, of, counts, self.n = [], [], [], [], [], len(mols)
        for i, mol in enumerate(mols):
            first = len(atoms)
            for a in mol.GetAtoms():
                number = a.GetAtomicNum()
                atoms.append((number - 1 if 1 <= number <= 118 else 118, CHIRALITIES.get(a.GetChiralTag(), 0)))
                of.append(i)
            for b in mol.GetBonds():
                u, v = first + b.GetBeginAtomIdx(), first + b.GetEndAtomIdx()
                ends += [(u, v), (v, u)]
                bonds += [(BONDS[b.GetBondType()], DIRECTIONS.get(b.GetBondDir(), 0))] * 2
            for bit, count in MORGAN.GetCountFingerprint(mol).GetNonzeroElements().items():
                counts.append((i, bit, min(count, 65535)))
        at = torch.tensor(counts, dtype=torch.long).reshape(-1, 3)
        self.counts = torch.zeros(len(mols), BITS, dtype=torch.float64)
        self.counts[at[:, 0], at[:, 1]] = at[:, 2].to(torch.float64)
        self.atoms = torch.tensor(atoms).reshape(-1, 2)
        self.ends, self.bonds = (torch.tensor(x, dtype=torch.long).reshape(-1, 2) for x in (ends, bonds))
        self.of = torch.tensor(of)  # [A] the molecule of each atom


def parse(smiles):
    """Returns RDKit's molecule, or None where pacia would refuse it (package rdkit, check.go)."""
    text = smiles.strip(" ").partition(" ")[0]  # a name may follow
    if not text.isascii() or len(smiles.encode()) > LONGEST or any(c < " " or c == "\x7f" for c in smiles):
        return None
    with rdBase.BlockLogs():
        mol = Chem.MolFromSmiles(smiles)
    if mol is None or not 0 < mol.GetNumAtoms() <= LARGEST or any(b.GetBondType() not in BONDS for b in mol.GetBonds()):
        return None
    return mol


# Encoders and readouts: package gnn.

class Encoder:
    """An encoder and its readout, whose names begin with prefix."""

    def __init__(self, model, prefix=""):
        self.weights, self.prefix, self.setting = model.weights, prefix, model.setting
        self.graphs, _, more = self.setting("encoder").partition("+")
        self.joined, self.layers = more != "", int(self.setting("layers"))
        if self.graphs not in ("gin", "fingerprint") or self.setting("readout") == "combined" or model.settings.get("model.descriptors") == "true":
            raise ValueError(f"this reader has no model.encoder={self.setting('encoder')} with model.readout={self.setting('readout')}"
                             " and model.descriptors; it has gin, fingerprint and gin+fingerprint")

    def w(self, name):
        return self.weights[self.prefix + name]

    def linear(self, name, x):
        return F.linear(x, self.w(name + ".weight"), self.weights.get(self.prefix + name + ".bias"))

    def states(self, b, given=None, after=None, support=False):
        """Returns h⁰ to h^L and the statistics of batch norms: own ones of a support set, where
        model.norm says so, or those that are given. after(l, h) is what comes between layers."""
        if self.graphs == "fingerprint":
            h = self.w("encoder.counts.bias") + torch.log1p(b.counts) @ self.w("encoder.counts.weight")
        else:
            h = self.w("encoder.atom")[b.atoms[:, 0]] + self.w("encoder.chirality")[b.atoms[:, 1]]
        states, stats = [h], []
        for l in range(self.layers):
            if self.graphs == "fingerprint":
                h, own = self.linear(f"encoder.{l}", h.relu()), None
            else:
                h, own = self.gin(l, h, b, given and given[l], support and self.setting("norm") == "support")
            stats.append(own)
            h = after(l, h) if after else h
            states.append(h)
        return states, stats

    def gin(self, l, h, b, given, own):
        name = f"encoder.{l}."
        kind, direction = self.w(name + "bond"), self.w(name + "direction")
        m = h + kind[4] + direction[0]  # self loops
        m = m.index_add(0, b.ends[:, 1], h[b.ends[:, 0]] + kind[b.bonds[:, 0]] + direction[b.bonds[:, 1]])
        z = self.linear(name + "mlp.1", self.linear(name + "mlp.0", m).relu())
        mean, var = given or (self.w(name + "norm.mean"), self.w(name + "norm.var"))
        stats = None
        if own:  # a sample's variance is what its queries take
            mean, var = z.mean(0), z.var(0, unbiased=False)
            stats = (mean, z.var(0))
        elif given:
            stats = given
        z = (z - mean) / torch.sqrt(var + 1e-5) * self.w(name + "norm.weight") + self.w(name + "norm.bias")
        return (z.relu() if l < self.layers - 1 else z), stats

    def pool(self, b, x, how="mean"):
        """Returns [n, d] of the rows of atoms."""
        if self.graphs == "fingerprint":
            return x
        sizes = torch.bincount(b.of, minlength=b.n)
        if how == "max":
            return torch.stack([atoms.amax(0) for atoms in x.split(sizes.tolist())])
        total = x.new_zeros(b.n, x.shape[1]).index_add(0, b.of, x)
        return total if how == "sum" else total / sizes.unsqueeze(1)

    def readout(self, b, states):
        """Returns the vectors [n, d] of molecules (Eq. 2)."""
        jump = self.setting("jump")
        x = {"last": lambda: states[-1], "sum": lambda: sum(states), "max": lambda: torch.stack(states).amax(0),
             "concat": lambda: torch.cat(states, 1)}[jump]()
        x = self.pool(b, x, self.setting("readout"))
        if not self.joined:
            return x
        counts = self.w("readout.counts.bias") + torch.log1p(b.counts) @ self.w("readout.counts.weight")
        return self.linear("readout.joined", (self.linear("readout.vectors", x) + counts).relu())


def unit(x, least):
    return x / x.norm(dim=-1, keepdim=True).clamp_min(least)


def class_means(x, labels):
    """Returns [..., 2, d] of x [..., N, d]: the means of the inactive and of the active ones."""
    return torch.stack([x[..., labels == c, :].mean(-2) for c in (0, 1)], -2)


# Methods: below package model. Each takes in a support set and gives queries logits [Q, 2].

class Kernel:
    """Package kernel, without vectors of MiniMol: ridge regression on what was learnt, what is known and
    Tanimoto similarity."""

    def __init__(self, model, support, labels):
        self.model = model
        members = int(model.setting("members"))
        self.encoders = [Encoder(model, f"member.{i}." if i else "") for i in range(members)]
        self.common = [model.weights[f"common.{i}"] for i in range(members)]
        self.stats = [None] * members
        self.support = self.view(support, support=True)
        n, of = len(labels), torch.bincount(labels, minlength=2)
        y = n / (2 * of[labels].double()) * (2 * labels - 1)
        k = self.kernel(self.support) + float(model.setting("noise")) * torch.eye(n, dtype=torch.float64)
        self.alpha = torch.cholesky_solve(y.unsqueeze(1), torch.linalg.cholesky(k))
        self.usual = class_means(self.expected(self.support).unsqueeze(1), labels).mean()
        self.prior = torch.log((of[1] + 0.5) / (of[0] + 0.5))

    def view(self, b, support=False):
        """What the kernel looks at of molecules."""
        read = [e.states(b, given, support=support) for e, given in zip(self.encoders, self.stats)]
        if support:
            self.stats = [stats for _, stats in read]
        units = [unit(e.readout(b, states), 1e-8) for e, (states, _) in zip(self.encoders, read)]
        rows, means, known = self.model.memory.of(b.counts)
        return units, b.counts, rows, means, known

    def kernel(self, queries):
        """Returns [Q, N], by the equation in similarity.go."""
        units, counts, rows, _, known = queries
        support, their_counts, their_rows, _, their_known = self.support
        learnt = sum(x @ s.T for x, s in zip(units, support)) / len(units)
        (a, b), (c, d) = ([torch.where(k, *torch.tensor(pair, dtype=torch.float64)) for pair in ((1, 0.3), (0.4472, 1))]
                          for k in (known, their_known))
        common = torch.stack([torch.minimum(counts, s).sum(1) for s in their_counts], 1)
        either = counts.sum(1, keepdim=True) + their_counts.sum(1) - common
        t = torch.where(either > 0, common / either.clamp_min(1), 1.)
        return a.unsqueeze(1) * c * learnt + known_cosines(rows, their_rows) + b.unsqueeze(1) * d * (t + t * t) / 2

    def expected(self, queries):
        """Returns [Q]: what is expected of a molecule in any assay."""
        units, _, _, means, known = queries
        logits = sum(x @ w for x, w in zip(units, self.common)) / len(units)
        return torch.where(known, 0.3 * means, 0.25 * logits)

    def logits(self, b):
        queries = self.view(b)
        score = self.expected(queries) - self.usual + (self.kernel(queries) @ self.alpha).squeeze(1)
        logit = float(self.model.setting("slope")) * score + float(self.model.setting("offset")) + self.prior
        return torch.stack([torch.zeros_like(logit), logit], 1)


class Memory:
    """The labels of training tasks that a model keeps (memory.go)."""

    def __init__(self, weights):
        keys = weights.get("memory.keys", torch.zeros(0)).numpy().astype(np.uint64).reshape(-1, 2)
        self.keys = keys[:, 0] << np.uint64(24) | keys[:, 1]
        sizes = weights.get("memory.counts", torch.zeros(0)).numpy().astype(np.int64)
        self.ends = np.concatenate([[0], np.cumsum(sizes)])
        self.labels = weights.get("memory.labels", torch.zeros(0)).numpy()
        self.actives = weights.get("memory.actives", torch.zeros(0)).numpy()

    def of(self, counts):
        """Returns what is known of molecules: rows {task: value} of length 1, means and whether there are any."""
        rows, means = [], []
        for row in counts.numpy():
            key, labels = np.uint64(key_of(row)), []
            at = np.searchsorted(self.keys, key)
            if at < len(self.keys) and self.keys[at] == key:
                labels = self.labels[self.ends[at]:self.ends[at + 1]]
            own, mean = {}, 0.
            for label in labels if len(labels) >= 3 else []:
                task = int(abs(label)) - 1
                share = self.actives[task]
                value = (float(label > 0) - share) / np.sqrt(share * (1 - share) + 0.02)
                own[task] = own.get(task, 0.) + value
                mean += value / (len(labels) + 3)
            length = max(np.sqrt(sum(v * v for v in own.values())), 1e-12)
            rows.append({task: v / length for task, v in own.items()})
            means.append(mean)
        return rows, torch.tensor(means, dtype=torch.float64), torch.tensor([bool(r) for r in rows])


def key_of(counts):
    """Returns the 48 bits that tell a fingerprint: splitmix64's finaliser on each count."""
    bits, all64 = np.flatnonzero(counts), (1 << 64) - 1
    h = len(bits)
    for bit in bits:
        x = (h ^ (int(bit) << 16 | int(counts[bit]))) + 0x9E3779B97F4A7C15 & all64
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & all64
        x = (x ^ x >> 27) * 0x94D049BB133111EB & all64
        h = x ^ x >> 31
    return h & (1 << 48) - 1


def known_cosines(rows, support):
    """Returns [Q, N]: inner products of what is known of molecules."""
    out = torch.zeros(len(rows), len(support), dtype=torch.float64)
    for q, row in enumerate(rows):
        for i, other in enumerate(support if row else []):
            out[q, i] = sum(v * other[task] for task, v in row.items() if task in other)
    return out


class Proto:
    """Package proto: class means."""

    def __init__(self, model, support, labels):
        self.encoder, self.metric = Encoder(model), model.setting("metric")
        if self.metric not in ("euclidean", "cosine", "dot"):
            raise ValueError(f"this reader has no model.metric={self.metric}")
        states, self.stats = self.encoder.states(support, support=True)
        self.factor = model.weights["metric.factor"] if self.metric == "cosine" else None
        self.means = class_means(self.shaped(self.encoder.readout(support, states)), labels)

    def shaped(self, x):
        return x if self.factor is None else unit(x, 1e-3)

    def logits(self, b):
        x = self.shaped(self.encoder.readout(b, self.encoder.states(b, self.stats)[0]))
        if self.metric == "dot":
            return x @ self.means.T
        apart = -(x.unsqueeze(1) - self.means).square().sum(2)
        return apart if self.factor is None else apart * self.factor


class Pacia:
    """Packages pacia and predictor: FiLM by hypernetworks, the relation graph, the adaptive classifier."""

    def __init__(self, model, support, labels):
        self.m, self.encoder, self.labels = model, Encoder(model), labels
        self.shots = int(torch.bincount(labels, minlength=2).min())
        self.mods = []
        states, self.stats = self.encoder.states(support, after=lambda l, h: self.adapt(l, h, support), support=True)
        self.vectors = self.read(support, states)
        self.means = model.setting("head") == "means"
        if self.means:
            self.factor = model.weights["metric.factor"]
            self.prototypes = class_means(unit(self.vectors, 1e-3), labels)
        else:
            self.nodes = self.project(self.vectors)

    def adapts(self, half, what):
        setting = self.m.setting("adapt." + half)
        return setting != "none" and what in setting

    # Hypernetworks (Eqs. 9 to 11): hyper.go.

    def mlp(self, name, x, last=True, first_residual=False, joint=False):
        """Layers name.0, name.1 …; which of them are residual is the form's."""
        layers = 0
        while f"{name}.{layers}.weight" in self.m.weights:
            layers += 1
        for i in range(layers):
            y = self.encoder.linear(f"{name}.{i}", x)
            end = last and i == layers - 1
            if not end:
                y = F.leaky_relu(y)
            if joint:
                residual = x.shape[-1] == y.shape[-1] and not (end and self.m.setting("hyper.start") == "zero")
            else:
                residual = not end and (i > 0 or first_residual)
            x = x + y if residual else y
        return x

    def hyper(self, name, support, query=None):
        """support [..., N, d] → [..., out]."""
        joint, x = self.m.setting("hyper.form") == "joint", support
        if self.m.setting("hyper.labels") == "true":
            label = F.one_hot(self.labels, 2).to(x).expand(*x.shape[:-1], 2)
            x = torch.cat([x, label], -1)
        x = self.mlp(name + ".molecule", x, last=False)
        means = class_means(x, self.labels)
        x = means.mean(-2) if self.m.setting("hyper.prototypes") == "mean" else means.flatten(-2)
        if name + ".means.weight" in self.m.weights:
            x = self.encoder.linear(name + ".means", x)
        if query is not None:
            x = torch.cat([x, query], -1)
        return self.mlp(name + ".last", x, first_residual=name == "query.p", joint=joint)

    def modulation(self, half, name, d, support, query=None):
        """Returns w, b and p, or None for what is not adapted. Of split hypernetworks only that of depth reads the query."""
        nodes, depth = self.adapts(half, "N"), self.adapts(half, "D")
        if not nodes and not depth:
            return None, None, None
        if self.m.setting("hyper.form") == "joint":
            y = self.hyper(name, support, query)
            return (y[..., :d], y[..., d:2 * d], y[..., -1]) if nodes else (None, None, y[..., -1])
        w, b = (self.hyper(f"{name}.{v}", support) if nodes else None for v in "wb")
        return w, b, self.hyper(name + ".p", support, query)[..., -1] if depth else None

    def film(self, h, w, b):
        form = self.m.setting("film")
        if form == "unit":
            w, b = unit(w, 1e-12), unit(b, 1e-12)
        return h * (w if form == "scale" else 1 + w) + b

    # The encoder: encode.go.

    def adapt(self, l, h, b):
        name = "task.0" if self.m.setting("hyper.share") == "true" else f"task.{l}"
        self.mods.append(self.modulation("encoder", name, h.shape[1], self.encoder.pool(b, h)))
        return self.modulated(l, h)

    def modulated(self, l, h):
        w, b, _ = self.mods[l]
        return h if w is None else self.film(h, w, b)

    def read(self, b, states):
        if self.adapts("encoder", "D"):
            states = [states[1 + int(torch.stack([p for _, _, p in self.mods]).argmax())]]
        return self.encoder.readout(b, states)

    # The relation graph (Eqs. 4 and 5) and the classifier (Eqs. 16 to 20): package predictor.

    def project(self, x):
        return self.encoder.linear("projection.1", F.leaky_relu(self.encoder.linear("projection.0", x)))

    def relate(self, l, h):
        """h [Q, n, d], the query last."""
        name = "relation.0." if self.m.setting("relation.share") == "true" else f"relation.{l}."
        x = torch.exp(-(h.unsqueeze(2) - h.unsqueeze(1)).abs())
        for i in (0, 1):
            x = F.leaky_relu(self.encoder.linear(f"{name}similarity.{i}", x))
        own = torch.eye(h.shape[1], dtype=torch.bool)
        a = torch.sigmoid(self.encoder.linear(name + "similarity.2", x).squeeze(-1)).masked_fill(own, 0)
        top = a.masked_fill(own, -1).topk(min(self.shots, len(self.labels)), 2).indices
        kept = a * torch.zeros_like(a).scatter(2, top, 1)
        h = torch.cat([h, kept / kept.sum(2, keepdim=True).clamp_min(1e-12) @ h], 2)
        h = F.leaky_relu(self.encoder.linear(name + "node.0", h))
        return h if self.m.setting("relation.node") == "single" else F.leaky_relu(self.encoder.linear(name + "node.1", h))

    def classify(self, h):
        prototypes, out = class_means(h[:, :-1], self.labels), []
        for c, name in enumerate(("inactive.", "active.")):
            name = "classifier." + ("" if self.m.setting("classifier.share") == "true" else name)
            r = prototypes[:, c]
            out.append((self.mlp(name + "w", r) * h[:, -1]).sum(1) + self.mlp(name + "b", r).squeeze(1))
        return torch.stack(out, 1)

    def logits(self, b):
        x = self.read(b, self.encoder.states(b, self.stats, self.modulated)[0])
        if self.means:
            return -(unit(x, 1e-3).unsqueeze(1) - self.prototypes).square().sum(2) * self.factor
        h = torch.cat([self.nodes.expand(b.n, -1, -1), self.project(x).unsqueeze(1)], 1)
        layers, plausible = [], []
        for l in range(int(self.m.setting("relation.layers"))):
            h = self.relate(l, h)
            w, bias, p = self.modulation("predictor", "query", h.shape[2], h[:, :-1], h[:, -1])
            if w is not None:
                h = self.film(h, w.unsqueeze(1), bias.unsqueeze(1))
            layers.append(h)
            plausible.append(p)
        if p is not None:  # each query at its own depth (Eq. 13)
            h = torch.stack(layers, 1)[torch.arange(b.n), torch.stack(plausible, 1).argmax(1)]
        return self.classify(h)


METHODS = {"kernel": Kernel, "proto": Proto, "pacia": Pacia}


class Model:
    """A trained model: its settings as text, its weights by their names."""

    def __init__(self, path):
        self.weights, about = read(path)
        self.settings = settings(about.get("config", ""))
        self.method = self.settings.get("model.method")
        if self.method not in METHODS:
            raise ValueError(f"{path}: this reader has no model.method={self.method}; it has {', '.join(METHODS)}")
        self.memory = Memory(self.weights)

    def setting(self, name):
        return self.settings["model." + name]

    def adapt(self, smiles, labels):
        """Takes in a support set: SMILES and labels, 1 active and 0 inactive. There must be both."""
        mols, labels = [parse(s) for s in smiles], [int(l) for l in labels]
        if None in mols:
            raise ValueError(f"RDKit cannot read support molecule {mols.index(None)}: {smiles[mols.index(None)]}")
        if len(mols) != len(labels) or set(labels) != {0, 1}:
            raise ValueError(f"{len(mols)} support molecules with {labels.count(1)} labels 1 and {labels.count(0)} labels 0; give each molecule one, and both of them")
        order = sorted(range(len(labels)), key=lambda i: labels[i])
        return Task(self, [mols[i] for i in order], torch.tensor(sorted(labels)))


class Task:
    """A model that has taken in a support set."""

    @torch.no_grad()
    def __init__(self, model, mols, labels):
        self.method = METHODS[model.method](model, Molecules(mols), labels)

    @torch.no_grad()
    def predict(self, smiles):
        """Returns P(active) of each SMILES as [Q] of NumPy; NaN where RDKit cannot read it."""
        out, mols = np.full(len(smiles), np.nan), [parse(s) for s in smiles]
        readable = [i for i, mol in enumerate(mols) if mol is not None]
        for at in range(0, len(readable), TOGETHER):
            some = readable[at:at + TOGETHER]
            logits = self.method.logits(Molecules([mols[i] for i in some]))
            out[some] = torch.sigmoid(logits[:, 1] - logits[:, 0]).numpy()
        return out


def main(model, support, library):
    """Writes smiles and probability of each molecule of a CSV, in its order, by the columns smiles and label."""
    def rows(path):
        with open(path, newline="") as f:
            return list(csv.DictReader(f))
    labelled, asked = rows(support), rows(library)
    for path, table, columns in (support, labelled, ("smiles", "label")), (library, asked, ("smiles",)):
        for column in columns:
            if not table or column not in table[0]:
                raise ValueError(f"{path}: no column {column}, or no rows")
    print("pacia.py: molecules are read as they are drawn, as by pacia predict --as-drawn", file=sys.stderr)
    task = Model(model).adapt([r["smiles"] for r in labelled], [r["label"] for r in labelled])
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["smiles", "probability"])
    out.writerows(zip((r["smiles"] for r in asked), task.predict([r["smiles"] for r in asked])))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: python3 pacia.py MODEL SUPPORT.csv LIBRARY.csv > scores.csv")
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as e:
        sys.exit(f"pacia.py: {e}")
