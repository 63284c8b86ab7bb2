"""Encoders and readouts: package gnn. Legend: n molecules of a batch, A atoms, d a width."""

import torch
import torch.nn.functional as F


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
        """Returns h⁰ to h^L and the statistics of batch norms.

        With model.norm=support these are the statistics of the support set, or the given ones. after(l, h)
        is applied after each layer.
        """
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
        if own:  # queries use the unbiased variance
            mean, var = z.mean(0), z.var(0, unbiased=False)
            stats = (mean, z.var(0))
        elif given:
            stats = given
        z = (z - mean) / torch.sqrt(var + 1e-5) * self.w(name + "norm.weight") + self.w(name + "norm.bias")
        return (z.relu() if l < self.layers - 1 else z), stats

    def pool(self, b, x, how="mean"):
        """Pools atoms [A, d] to molecules [n, d]."""
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
    """Returns the means [..., 2, d] of the inactive and of the active rows of x [..., N, d]."""
    return torch.stack([x[..., labels == c, :].mean(-2) for c in (0, 1)], -2)
