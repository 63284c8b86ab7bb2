"""PACIA in the fastest form of plain PyTorch: all tasks of a step in one pass, pairs i < j.

It uses only torch's own functions. The atoms of one task's support
set form a group, those of its queries another; batch norm is computed for each group.

Legend: A atoms, n molecules, d width of the atoms, B tasks, N support molecules of
each, Q queries of all, w width of the relation graph's nodes, L its layers, P pairs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from episodes import Molecules, Task, Test
from net import BOND_DIRECTIONS, BOND_TYPES, SELF_LOOP, Film, Gin, Pacia, Relation, expected_cross_entropy

# The modulation of the atoms [A, d] after an encoder layer.
Modulation = Callable[[int, Tensor], Film]


@dataclass
class Graph:
    """Groups of molecules, with a bond of every atom with itself."""

    atoms: Tensor  # [A, 2]
    source: Tensor  # [bonds] the source atom of each bond, sorted by target atom
    first_bond: Tensor  # [A]
    types: Tensor  # [A, 6] number of bonds of each type that end at an atom
    directions: Tensor  # [A, 3]
    first_atom: Tensor  # [n]
    groups: list[int]  # number of atoms of each group


@dataclass
class Step:
    shots: int
    graph: Graph
    task: Tensor  # [A] the task of an atom
    support: Tensor  # [B, N] molecules
    support_labels: Tensor  # [B, N]
    query: Tensor  # [Q] molecules
    query_task: Tensor  # [Q]
    query_labels: Tensor  # [Q]
    query_weights: Tensor  # [Q] they sum to 1/B for each task


class Together(Pacia):
    """PACIA, all tasks at once."""

    query_batch = 256  # as in pacia; smaller batches are slower
    # Whether the large products are 1×1 convolutions, computed by oneDNN, instead
    # of MKL's. Which is faster depends on the machine.
    convolution = False

    @staticmethod
    def prepare(tasks: list[Task]) -> Step:
        return join(tasks)

    def loss(self, step: Step) -> Tensor:
        """The mean over the tasks of their queries' mean loss."""
        def modulation(layer: int, h: Tensor) -> Film:
            factor, shift = self.film(layer, readout(h, step.graph)[step.support], step.support_labels)
            return factor[step.task], shift[step.task]

        nodes = self.encode(step.graph, modulation)
        layers, labels = self.relate(nodes[step.support][step.query_task], nodes[step.query],
                                     step.support_labels[step.query_task], step.shots)
        logits, depth = self.classifier(layers, labels), self.depth(layers, labels)
        losses = expected_cross_entropy(logits, depth, step.query_labels)
        return losses @ step.query_weights

    def prepare_test(self, task: Task) -> Test[Graph]:
        return Test(task.shots, join_molecules([task.support]), task.support_labels,
                    [join_molecules([part]) for part in task.query.batches(self.query_batch)])

    def scores(self, test: Test[Graph]) -> Tensor:
        """The probability that each query of a test task is active [Q]."""
        film: list[Film] = []

        def adapt(layer: int, h: Tensor) -> Film:
            film.append(self.film(layer, readout(h, test.support), test.support_labels))
            return film[layer]

        support, scores = self.encode(test.support, adapt), []
        for queries in test.queries:
            query = self.encode(queries, lambda layer, _: film[layer])
            layers, labels = self.relate(support.expand(len(query), -1, -1), query,
                                         test.support_labels.expand(len(query), -1), test.shots)
            chosen = layers[torch.arange(len(query), device=query.device), self.depth(layers, labels).argmax(1)]
            scores.append(self.classifier(chosen, labels[:, 0]).softmax(-1)[:, 1])
        return torch.cat(scores)

    def encode(self, graph: Graph, modulation: Modulation) -> Tensor:
        """Nodes of all molecules [n, w]."""
        h = self.embed(graph.atoms)
        for i, gin in enumerate(self.gin):
            h = self.encoder_layer(gin, h, graph)
            factor, shift = modulation(i, h)
            h = torch.addcmul(shift, h, factor)
        return self.projection(readout(h, graph))

    def encoder_layer(self, gin: Gin, h: Tensor, graph: Graph) -> Tensor:
        sums = F.embedding_bag(graph.source, h, graph.first_bond, mode="sum")
        sums = sums + graph.types @ gin.bond.weight + graph.directions @ gin.direction.weight
        first, _, second = gin.mlp
        h = self.product(second, F.relu_(self.product(first, sums)))
        h = torch.cat([gin.norm(group) for group in h.split(graph.groups)])
        if gin is not self.gin[-1]:
            h = F.relu_(h)
        return F.dropout(h, self.dropout, self.training)

    def relate(self, support: Tensor, query: Tensor, labels: Tensor, shots: int) -> tuple[Tensor, Tensor]:
        """Nodes [Q, L, N+1, w] after each layer of the relation graphs, and their labels [Q, L, N]."""
        nodes, layers = torch.cat([support, query.unsqueeze(1)], 1), []
        for relation in self.relation:
            nodes, _ = relation(nodes, self.similarities(relation, nodes), shots)
            layers.append(nodes)
        return torch.stack(layers, 1), labels.unsqueeze(1).expand(-1, len(layers), -1)

    def similarities(self, relation: Relation, nodes: Tensor) -> Tensor:
        """a_ij = a_ji of all pairs of nodes [Q, N+1, w], 0 on the diagonal."""
        i, j, place = pairs(nodes.shape[1], nodes.device)
        first, _, second, _, last, _ = relation.similarity
        x = (nodes.index_select(1, i) - nodes.index_select(1, j)).abs().neg_().exp_()
        x = F.leaky_relu_(self.product(first, x))
        x = F.leaky_relu_(self.product(second, x))
        a = last(x).squeeze(-1).sigmoid()
        return F.pad(a, (0, 1)).index_select(1, place).unflatten(1, (nodes.shape[1], -1))

    def product(self, layer: nn.Linear, x: Tensor) -> Tensor:
        """The linear layer of x [..., in], in the faster form for this machine."""
        if not self.convolution:
            return layer(x)
        image = x.reshape(1, -1, 1, layer.in_features).permute(0, 3, 1, 2)  # a view, channels last
        y = F.conv2d(image, layer.weight[:, :, None, None], layer.bias)
        return y.permute(0, 2, 3, 1).reshape(*x.shape[:-1], layer.out_features)


@lru_cache
def pairs(n: int, device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    """The pairs i < j of n nodes [P], and for each entry of a matrix [n·n] the index of its pair, P for none."""
    i, j = torch.triu_indices(n, n, 1, device=device)
    place = torch.full((n, n), len(i), device=device)
    place[i, j] = place[j, i] = torch.arange(len(i), device=device)
    return i, j, place.flatten()


def readout(h: Tensor, graph: Graph) -> Tensor:
    """The mean over each molecule's atoms [n, d]."""
    return F.embedding_bag(torch.arange(len(h), device=h.device), h, graph.first_atom, mode="mean")


def join(tasks: list[Task]) -> Step:
    graph = join_molecules([part for t in tasks for part in (t.support, t.query)])
    sizes = [len(part) for t in tasks for part in (t.support, t.query)]
    molecules = torch.arange(sum(sizes)).split(sizes)
    queries = torch.tensor(sizes[1::2])
    return Step(
        shots=tasks[0].shots,
        graph=graph,
        task=torch.repeat_interleave(torch.tensor(graph.groups).view(-1, 2).sum(1)),
        support=torch.stack(molecules[::2]),
        support_labels=torch.stack([t.support_labels for t in tasks]),
        query=torch.cat(molecules[1::2]),
        query_task=torch.repeat_interleave(queries),
        query_labels=torch.cat([t.query_labels for t in tasks]),
        query_weights=torch.repeat_interleave(1 / queries / len(tasks), queries))


def join_molecules(groups: list[Molecules]) -> Graph:
    atoms = [len(g.atoms) for g in groups]
    starts = [sum(atoms[:i]) for i in range(len(atoms))]
    loops = torch.arange(sum(atoms))
    source = torch.cat([g.source + start for g, start in zip(groups, starts)] + [loops])
    target, order = torch.cat([g.target + start for g, start in zip(groups, starts)] + [loops]).sort()
    bond = torch.cat([g.bond for g in groups] + [torch.tensor([[SELF_LOOP, 0]]).expand(len(loops), 2)])[order]
    return Graph(
        atoms=torch.cat([g.atoms for g in groups]),
        source=source[order],
        first_bond=torch.searchsorted(target, loops),
        types=counts(target, bond[:, 0], len(loops), BOND_TYPES),
        directions=counts(target, bond[:, 1], len(loops), BOND_DIRECTIONS),
        first_atom=torch.cat([g.first_atom[:-1] + start for g, start in zip(groups, starts)]),
        groups=atoms)


def counts(row: Tensor, column: Tensor, rows: int, columns: int) -> Tensor:
    """The number of times that each row and column occur together [rows, columns]."""
    number = torch.bincount(row * columns + column, minlength=rows * columns)
    return number.view(rows, columns).to(torch.get_default_dtype())
