"""Package kernel, the method of the model that ships. Legend: n molecules, N support molecules, Q queries."""

import numpy as np
import torch

from .encoder import Encoder, class_means, unit

EXACT = "donot_use_mm_for_euclid_dist"  # distances by differences, not by products


class Kernel:
    """Package kernel: ridge regression with a kernel of learnt vectors, known labels, Tanimoto similarity, and vectors
    of MiniMol if the model has them."""

    def __init__(self, model, support, labels):
        self.model = model
        members = int(model.setting("members"))
        self.encoders = [Encoder(model, f"member.{i}." if i else "") for i in range(members)]
        self.common = [model.weights[f"common.{i}"] for i in range(members)]
        self.stats = [None] * members
        self.support = self.view(support, support=True)
        n, of = len(labels), torch.bincount(labels, minlength=2)
        y = n / (2 * of[labels].double()) * (2 * labels - 1)
        both = self.kernel(self.support, own=True)
        self.alpha, self.beta = (self.regression(k, y)[0] for k in both)
        if self.support[0] is None:  # with vectors both kernels have about the same diagonal
            both = [k / k.diagonal().mean() for k in both]
        whole, alone = (self.regression(k, y)[1] for k in both)
        self.share = torch.sigmoid(2 + 4 * (whole - alone))  # average.go
        expected = self.expected(self.support)
        self.usual = class_means(expected.unsqueeze(1), labels).mean()
        e = expected - self.usual
        self.coefficient = torch.tanh((3 + 4 * (y @ e) / torch.sqrt(1 + e @ e)) / 2)  # expectation.go
        self.prior = torch.log((of[1] + 0.5) / (of[0] + 0.5))

    def regression(self, k, y):
        """Returns the weights [N, 1] of the support molecules, and the log evidence of y without its constant."""
        c = k + float(self.model.setting("noise")) * torch.eye(len(y), dtype=torch.float64)
        weights = torch.linalg.solve(c, y.unsqueeze(1))
        return weights, -(y @ weights.squeeze(1) + torch.logdet(c)) / 2

    def view(self, b, support=False):
        """Returns the features of molecules that the kernel compares."""
        read = [e.states(b, given, support=support) for e, given in zip(self.encoders, self.stats)]
        if support:
            self.stats = [stats for _, stats in read]
        units = [unit(e.readout(b, states), 1e-8) for e, (states, _) in zip(self.encoders, read)]
        vectors = self.model.minimol and self.model.minimol.vectors(b.mols)
        return vectors, units, b.counts, *self.model.memory.of(b.counts)

    def kernel(self, queries, own=False):
        """Returns two kernels [Q, N]: that of the equation in similarity.go, and that of structure alone.

        own: the queries are the support molecules.
        """
        vectors, units, counts, rows, _, known = queries
        their_vectors, support, their_counts, their_rows, _, their_known = self.support
        learnt = sum(x @ s.T for x, s in zip(units, support)) / len(units)
        (a, b), (c, d) = ([torch.where(k, *torch.tensor(pair, dtype=torch.float64)) for pair in ((0.8367, 0.251), (0.4472, 1))]
                          for k in (known, their_known))
        common = torch.stack([torch.minimum(counts, s).sum(1) for s in their_counts], 1)
        either = counts.sum(1, keepdim=True) + their_counts.sum(1) - common
        t = torch.where(either > 0, common / either.clamp_min(1), 1.)
        alone = (t + t * t) / 2
        if vectors is not None:
            alone = alone + 2 * torch.exp(-torch.cdist(vectors, their_vectors, compute_mode=EXACT).double() ** 2 / vectors.shape[1])
        cosines = known_cosines(rows, their_rows)
        if own:  # 1 for a known molecule, independent of its number of labels
            cosines.diagonal().copy_(known)
        return a.unsqueeze(1) * c * learnt + cosines + b.unsqueeze(1) * d * alone, alone

    def expected(self, queries):
        """Returns the expected activity [Q] of molecules in any assay."""
        _, units, _, _, means, known = queries
        logits = sum(x @ w for x, w in zip(units, self.common)) / len(units)
        return torch.where(known, 0.3 * means, 0.25 * logits)

    def logits(self, b):
        queries = self.view(b)
        whole, alone = self.kernel(queries)
        score = self.coefficient * (self.expected(queries) - self.usual) + (whole @ self.alpha).squeeze(1)
        score = self.share * score + (1 - self.share) * (alone @ self.beta).squeeze(1)
        logit = float(self.model.setting("slope")) * score + float(self.model.setting("offset")) + self.prior
        return torch.stack([torch.zeros_like(logit), logit], 1)


class Memory:
    """The labels of training tasks that a model keeps (memory.go). Legend: L labels, T training tasks."""

    ENOUGH = 3  # labels from which on a molecule is known
    FEW = 10.  # shortens the vectors of molecules with few labels
    SMOOTH = 0.02  # limits the weight of rare labels

    def __init__(self, weights):
        def buffer(name):
            return weights.get("memory." + name, torch.zeros(0)).numpy()
        keys = buffer("keys").astype(np.uint64).reshape(-1, 2)
        self.keys = keys[:, 0] << np.uint64(24) | keys[:, 1]
        self.ends = np.concatenate([[0], np.cumsum(buffer("counts").astype(np.int64))])
        ranks, places = np.modf(np.abs(buffer("labels")))
        self.tasks = places.astype(np.int64) - 1  # [L]
        values = np.where((ranks == 0) & (buffer("labels") > 0), 1., ranks)
        share, spread = buffer("actives"), buffer("actives") * (1 - buffer("actives"))  # [T]
        n, first, second = (np.bincount(self.tasks, values ** power, len(share)) for power in range(3))
        n = np.maximum(n, 1)
        mean = first / n
        scale = np.sqrt(spread / (spread + self.SMOOTH) / np.maximum(second / n - mean * mean, 1e-9))
        self.values = (values - mean[self.tasks]) * scale[self.tasks]  # [L] of mean 0 and deviation 1 in each task

    def of(self, counts):
        """Returns the known labels of molecules: rows {task: value} of norm below 1, means, and whether there are any."""
        rows, means = [], []
        for row in counts.numpy():
            key, labels = np.uint64(key_of(row)), slice(0)
            at = np.searchsorted(self.keys, key)
            if at < len(self.keys) and self.keys[at] == key and self.ends[at + 1] - self.ends[at] >= self.ENOUGH:
                labels = slice(self.ends[at], self.ends[at + 1])
            own, values = {}, self.values[labels]
            for task, value in zip(self.tasks[labels].tolist(), values.tolist()):
                own[task] = own.get(task, 0.) + value
            length = np.sqrt(self.FEW + sum(v * v for v in own.values()))
            rows.append({task: v / length for task, v in own.items()})
            means.append(values.sum() / (len(values) + self.ENOUGH))
        return rows, torch.tensor(means, dtype=torch.float64), torch.tensor([bool(r) for r in rows])


def key_of(counts):
    """Returns a 48-bit hash of a fingerprint: splitmix64's finaliser on each count."""
    bits, all64 = np.flatnonzero(counts), (1 << 64) - 1
    h = len(bits)
    for bit in bits:
        x = (h ^ (int(bit) << 16 | int(counts[bit]))) + 0x9E3779B97F4A7C15 & all64
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & all64
        x = (x ^ x >> 27) * 0x94D049BB133111EB & all64
        h = x ^ x >> 31
    return h & (1 << 48) - 1


def known_cosines(rows, support):
    """Returns the inner products [Q, N] of the known labels of molecules."""
    out = torch.zeros(len(rows), len(support), dtype=torch.float64)
    for q, row in enumerate(rows):
        for i, other in enumerate(support if row else []):
            out[q, i] = sum(v * other[task] for task, v in row.items() if task in other)
    return out
