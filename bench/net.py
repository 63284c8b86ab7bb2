"""The parameters of PACIA's `reference` preset, and the layers made of them.

This module has the common parts of both styles of this implementation. The styles, tasks.py and
together.py, differ in how they combine tasks, atoms and pairs.

Legend: d = 300 width of the atoms, w = 128 width of the relation graph's nodes,
N support molecules of a task, Q queries.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

ENCODER_LAYERS = 5
RELATION_LAYERS = 5
ATOM_WIDTH = 300
NODE_WIDTH = 128
DROPOUT = 0.5
ATOM_NUMBERS, CHIRALITIES = 120, 3
BOND_TYPES, BOND_DIRECTIONS = 6, 3
SELF_LOOP = 4  # type of the bond of every atom with itself; its direction is 0

Film = tuple[Tensor, Tensor]  # factor and shift of the atoms' vectors, [..., d] each


class Mlp(nn.Module):
    """Linear layers with LeakyReLU between them; residual layers add their input."""

    def __init__(self, *widths: int, residual: tuple[int, ...] = (), ends_leaky: bool = False) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(i, o) for i, o in zip(widths, widths[1:]))
        self.residual = residual
        self.leaky = len(self.layers) - (0 if ends_leaky else 1)

    def forward(self, x: Tensor) -> Tensor:
        for i, layer in enumerate(self.layers):
            y = layer(x)
            if i < self.leaky:
                y = F.leaky_relu(y)
            x = y + x if i in self.residual else y
        return x


class TaskHypernetwork(nn.Module):
    """Eqs. 9 and 10: a support set's molecules and labels to one vector of a task."""

    def __init__(self, d: int = ATOM_WIDTH) -> None:
        super().__init__()
        self.molecule = Mlp(d + 2, d, d, d, residual=(1, 2), ends_leaky=True)
        self.last = Mlp(2 * d, d, d, d, residual=(1,))

    def forward(self, molecules: Tensor, labels: Tensor) -> Tensor:
        """[..., N, d] and labels [..., N] to [..., d]."""
        return self.last(class_means(self.molecule(with_labels(molecules, labels)), labels))


class DepthController(nn.Module):
    """Eq. 11: the support's nodes and the query's to the plausibility of a layer."""

    def __init__(self, w: int = NODE_WIDTH) -> None:
        super().__init__()
        self.molecule = Mlp(w + 2, w, w, w, residual=(1, 2), ends_leaky=True)
        self.means = nn.Linear(2 * w, w)
        self.last = Mlp(2 * w, 2 * w, 2 * w, 1, residual=(0, 1))

    def forward(self, nodes: Tensor, labels: Tensor) -> Tensor:
        """Nodes [..., N+1, w] and the support's labels [..., N] to [...]."""
        support, query = nodes[..., :-1, :], nodes[..., -1, :]
        means = self.means(class_means(self.molecule(with_labels(support, labels)), labels))
        return self.last(torch.cat([means, query], -1)).squeeze(-1)


class Classifier(nn.Module):
    """The adaptive classifier, Eqs. 16 to 20: one pair of MLPs for both classes."""

    def __init__(self, w: int = NODE_WIDTH) -> None:
        super().__init__()
        self.weight = Mlp(w, w, w, w, w, residual=(1, 2))
        self.bias = Mlp(w, w, w, w, 1, residual=(1, 2))

    def forward(self, nodes: Tensor, labels: Tensor) -> Tensor:
        """Nodes [..., N+1, w] and the support's labels [..., N] to logits [..., 2]."""
        prototypes = class_means(nodes[..., :-1, :], labels).unflatten(-1, (2, -1))
        weight, bias = self.weight(prototypes), self.bias(prototypes).squeeze(-1)
        return (weight * nodes[..., -1:, :]).sum(-1) + bias


class Gin(nn.Module):
    """The parameters of one layer of the encoder, GIN with embeddings of the bonds."""

    def __init__(self, d: int = ATOM_WIDTH) -> None:
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, d))
        self.bond = nn.Embedding(BOND_TYPES, d)
        self.direction = nn.Embedding(BOND_DIRECTIONS, d)
        self.norm = nn.BatchNorm1d(d)


class Relation(nn.Module):
    """One layer of the relation graph, Eqs. 4 and 5."""

    def __init__(self, w: int = NODE_WIDTH) -> None:
        super().__init__()
        self.similarity = nn.Sequential(
            nn.Linear(w, 2 * w, bias=False), nn.LeakyReLU(),
            nn.Linear(2 * w, w, bias=False), nn.LeakyReLU(),
            nn.Linear(w, 1), nn.Sigmoid())
        self.node = nn.Linear(2 * w, w, bias=False)

    def forward(self, nodes: Tensor, similarities: Tensor, k: int) -> tuple[Tensor, Tensor]:
        """Nodes [Q, n, w] and the pairs' similarities [Q, n, n], 0 on the diagonal.

        Every row keeps its k largest entries and is divided by their sum. Returns
        the new nodes, and the kept entries before the division.
        """
        largest, where = similarities.topk(k, -1)
        kept = torch.zeros_like(similarities).scatter(-1, where, largest)
        neighbours = torch.bmm(F.normalize(kept, p=1, dim=-1), nodes)
        return F.leaky_relu(self.node(torch.cat([nodes, neighbours], -1))), kept


class Pacia(nn.Module):
    """All parameters that the method uses: 9,059,347."""

    def __init__(self) -> None:
        super().__init__()
        self.atom = nn.Embedding(ATOM_NUMBERS, ATOM_WIDTH)
        self.chirality = nn.Embedding(CHIRALITIES, ATOM_WIDTH)
        self.gin = nn.ModuleList(Gin() for _ in range(ENCODER_LAYERS))
        self.film_weight = nn.ModuleList(TaskHypernetwork() for _ in range(ENCODER_LAYERS))
        self.film_bias = nn.ModuleList(TaskHypernetwork() for _ in range(ENCODER_LAYERS))
        self.projection = Mlp(ATOM_WIDTH, NODE_WIDTH, NODE_WIDTH)
        self.relation = nn.ModuleList(Relation() for _ in range(RELATION_LAYERS))
        self.depth = DepthController()
        self.classifier = Classifier()
        self.dropout = DROPOUT

    def embed(self, atoms: Tensor) -> Tensor:
        """Atomic numbers and chiralities [A, 2] to [A, d]; a chirality without a row counts as none."""
        number, chirality = atoms.unbind(1)
        return self.atom(number) + self.chirality(chirality.masked_fill(chirality >= CHIRALITIES, 0))

    def film(self, layer: int, molecules: Tensor, labels: Tensor) -> Film:
        """The modulation of h by a support set [..., N, d] after an encoder layer: h·(1 + w/‖w‖) + b/‖b‖."""
        w, b = self.film_weight[layer](molecules, labels), self.film_bias[layer](molecules, labels)
        return 1 + unit(w), unit(b)


def with_labels(molecules: Tensor, labels: Tensor) -> Tensor:
    return torch.cat([molecules, F.one_hot(labels, 2).to(molecules.dtype)], -1)


def class_means(x: Tensor, labels: Tensor) -> Tensor:
    """The means over the inactive and over the active molecules of [..., N, d], concatenated to [..., 2d]."""
    members = F.one_hot(labels, 2).to(x.dtype).transpose(-1, -2)
    return (members / members.sum(-1, keepdim=True) @ x).flatten(-2)


def unit(x: Tensor) -> Tensor:
    """Vectors [..., d] divided by their Euclidean length."""
    return x / x.norm(dim=-1, keepdim=True)


def expected_cross_entropy(logits: Tensor, plausibility: Tensor, labels: Tensor) -> Tensor:
    """Logits [Q, L, 2], p [Q, L] and labels [Q] to Σ_l softmax(p)_l CE_l of each query [Q]."""
    layers = logits.shape[1]
    each = F.cross_entropy(logits.flatten(0, 1), labels.repeat_interleave(layers), reduction="none")
    return (plausibility.softmax(-1) * each.view(-1, layers)).sum(-1)
