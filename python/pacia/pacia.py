"""Packages pacia and predictor. Legend: N support molecules, Q queries, n molecules of a relation graph, d a width."""

import torch
import torch.nn.functional as F

from .encoder import Encoder, class_means, unit


class Pacia:
    """FiLM by hypernetworks, the relation graph, the adaptive classifier."""

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
        """Applies the layers name.0, name.1, …. The form of the hypernetwork defines which are residual."""
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
        """Returns w, b and p, or None for parts that are not adapted. With split hypernetworks only p depends on the query."""
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
