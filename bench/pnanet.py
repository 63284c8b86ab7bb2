"""FS-Mol's PNA encoder and its "combined" readout in eager PyTorch.

There are two forms of the messages and two of the large products, with the same results. Which is
faster depends on the machine.

Legend: A atoms, E bonds counted in both directions, n molecules, H towers of width
e, d = H·e, p numbers of an aggregate of a tower, L blocks, s = (L+1)·d.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

FEATURES, BOND_TYPES = 32, 3
DELTA, EPSILON = 1.1515, 1e-7


@dataclass
class Graph:
    features: Tensor  # [A, 32]
    bonds: list[tuple[Tensor, Tensor]]  # source and target of the bonds of each type, both directions
    molecule: Tensor  # [A]
    molecules: int

    @property
    def target(self) -> Tensor:
        return torch.cat([target for _, target in self.bonds])


class Linear(nn.Linear):
    # Whether the product is a 1×1 convolution, computed by oneDNN, instead of MKL's product.
    convolution = False

    def forward(self, x: Tensor) -> Tensor:
        if not self.convolution or len(x) < 256:
            return super().forward(x)
        image = x.reshape(1, -1, 1, self.in_features).permute(0, 3, 1, 2)  # a view, channels last
        return F.conv2d(image, self.weight[:, :, None, None], self.bias).permute(0, 2, 3, 1).flatten(0, 2)


class Block(nn.Module):
    # Whether all towers are one batched product, or separate products.
    together = False

    def __init__(self, d: int, towers: int, p: int, inner: int) -> None:
        super().__init__()
        self.messages = nn.ParameterDict({
            "weight": torch.zeros(towers, BOND_TYPES, 3 * p, 2 * d // towers),
            "bias": torch.zeros(towers, BOND_TYPES, 3 * p)})
        self.towers = Linear(towers * 12 * p, d)
        self.alpha = nn.Parameter(torch.full((1,), 1e-7))
        self.norm = nn.LayerNorm(d)
        self.boom = nn.Sequential(Linear(d, inner), nn.LeakyReLU(), Linear(inner, d))

    def forward(self, h: Tensor, graph: Graph, degree: Tensor) -> Tensor:
        """[A, d] to [A, d], with the bonds into each atom [A, 1, 1]."""
        m = torch.cat([self.message(h, kind, *ends) for kind, ends in enumerate(graph.bonds)]).relu()
        first, second, third = m.chunk(3, -1)
        target, none = graph.target, h.new_zeros(len(h), *first.shape[1:])
        mean = none.index_add(0, target, second) / degree.clamp(min=1)
        deviation = F.relu(second.square() - mean[target].square()) + EPSILON
        largest = none.scatter_reduce(0, target[:, None, None].expand_as(third), third, "amax")
        x = torch.cat([none.index_add(0, target, first), mean, none.index_add(0, target, deviation).sqrt(), largest], -1)
        scale = (degree + 1).log()
        x = torch.cat([x, x * (scale / DELTA), x * (DELTA / (scale + EPSILON))], -1)
        h = h + self.alpha * self.towers(x.flatten(1))
        return h + self.alpha * self.boom(self.norm(h))

    def message(self, h: Tensor, kind: int, source: Tensor, target: Tensor) -> Tensor:
        """The messages of the bonds of a type, [bonds, H, 3p]."""
        weight, bias = self.messages["weight"][:, kind], self.messages["bias"][:, kind]
        of_tower = h.view(len(h), len(weight), -1)
        if self.together:
            pair = torch.cat([of_tower[source], of_tower[target]], -1).transpose(0, 1)
            return torch.baddbmm(bias[:, None], pair, weight.transpose(1, 2)).transpose(0, 1)
        each = [F.linear(torch.cat([of_tower[source, k], of_tower[target, k]], -1), weight[k], bias[k])
                for k in range(len(weight))]
        return torch.stack(each, 1)


class Pooler(nn.Module):
    def __init__(self, s: int, heads: int, width: int, out: int) -> None:
        super().__init__()
        q = heads * width
        self.scores = nn.Sequential(Linear(s, q), nn.ReLU(), Linear(q, heads))
        self.values = nn.Sequential(Linear(s, q), nn.ReLU(), Linear(q, q))
        self.combination = Linear(q, out, bias=False)

    def forward(self, x: Tensor, graph: Graph, softmax: bool) -> Tensor:
        scores, values = self.scores(x), self.values(x)
        if softmax:
            where = graph.molecule[:, None].expand_as(scores)
            empty = scores.new_full((graph.molecules, scores.shape[1]), -torch.inf)
            most = empty.scatter_reduce(0, where, scores.detach(), "amax")
            weights = (scores - most[graph.molecule]).exp()
            weights = weights / torch.zeros_like(most).index_add(0, graph.molecule, weights)[graph.molecule]
        else:
            weights = scores.sigmoid()
        weighted = (weights[:, :, None] * values.view(*scores.shape, -1)).flatten(1)
        return self.combination(weighted.new_zeros(graph.molecules, weighted.shape[1]).index_add(0, graph.molecule, weighted))


class Readout(nn.Module):
    def __init__(self, s: int, heads: int, width: int, out: int) -> None:
        super().__init__()
        self.mean, self.sum = Pooler(s, heads, width, out), Pooler(s, heads, width, out)
        self.max = Linear(s, out, bias=False)
        self.combination = Linear(3 * out, out, bias=False)

    def forward(self, x: Tensor, graph: Graph) -> Tensor:
        empty = x.new_full((graph.molecules, x.shape[1]), -torch.inf)
        largest = empty.scatter_reduce(0, graph.molecule[:, None].expand_as(x), x, "amax")
        parts = [self.mean(x, graph, True), self.sum(x, graph, False), self.max(largest)]
        return self.combination(F.relu(torch.cat(parts, -1)))


class Pna(nn.Module):
    def __init__(self, config: dict[str, Any], readout: dict[str, Any]) -> None:
        super().__init__()
        d, layers = config["hidden_dim"], config["num_layers"]
        self.features = Linear(FEATURES, d, bias=False)
        self.blocks = nn.ModuleList(
            Block(d, config["num_heads"], config["per_head_dim"], config["intermediate_dim"]) for _ in range(layers))
        self.readout = Readout((layers + 1) * d, readout["num_heads"], readout["head_dim"], readout["output_dim"])

    def states(self, graph: Graph) -> list[Tensor]:
        """h⁰ … h^L, [A, d] each."""
        degree = torch.bincount(graph.target, minlength=len(graph.features)).to(graph.features)[:, None, None]
        states = [self.features(graph.features)]
        for block in self.blocks:
            states.append(block(states[-1], graph, degree))
        return states

    def forward(self, graph: Graph) -> Tensor:
        """The molecules' vectors [n, out]."""
        return self.readout(torch.cat(self.states(graph), -1), graph)
