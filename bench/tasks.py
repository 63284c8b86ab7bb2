"""PACIA in the most direct form: one task after the other, every pair of every graph.

Legend: A atoms, n molecules, d width of the atoms, N support molecules, Q queries,
w width of the relation graph's nodes, L its layers.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from episodes import Molecules, Task, Test
from net import SELF_LOOP, Film, Gin, Pacia, Relation, expected_cross_entropy


@dataclass
class Graph:
    """Molecules with a bond of every atom with itself."""

    atoms: Tensor  # [A, 2]
    source: Tensor  # [bonds]
    target: Tensor  # [bonds]
    bond: Tensor  # [bonds, 2]
    molecule: Tensor  # [A] the molecule of an atom
    sizes: Tensor  # [n] atoms of a molecule


@dataclass
class Episode:
    shots: int
    support: Graph
    support_labels: Tensor  # [N]
    query: Graph
    query_labels: Tensor  # [Q]


class Tasks(Pacia):
    """PACIA, task by task."""

    query_batch = 256  # as in pacia; smaller batches are slower

    @staticmethod
    def prepare(step: list[Task]) -> list[Episode]:
        return [Episode(t.shots, graph(t.support), t.support_labels, graph(t.query), t.query_labels)
                for t in step]

    def loss(self, step: list[Episode]) -> Tensor:
        """The mean over the tasks of their queries' mean loss."""
        return torch.stack([self.task_loss(e) for e in step]).mean()

    def task_loss(self, e: Episode) -> Tensor:
        support, film = self.support(e.support, e.support_labels)
        logits, depth = self.relate(support, self.queries(e.query, film), e.support_labels, e.shots)
        return expected_cross_entropy(logits, depth, e.query_labels).mean()

    def prepare_test(self, task: Task) -> Test[Graph]:
        return Test(task.shots, graph(task.support), task.support_labels,
                    [graph(part) for part in task.query.batches(self.query_batch)])

    def scores(self, test: Test[Graph]) -> Tensor:
        """The probability that each query of a test task is active [Q]."""
        support, film = self.support(test.support, test.support_labels)
        scores = []
        for queries in test.queries:
            logits, depth = self.relate(support, self.queries(queries, film), test.support_labels, test.shots)
            chosen = logits[torch.arange(len(logits), device=logits.device), depth.argmax(1)]
            scores.append(chosen.softmax(-1)[:, 1])
        return torch.cat(scores)

    def support(self, graph: Graph, labels: Tensor) -> tuple[Tensor, list[Film]]:
        """Nodes of the support molecules [N, w], and the modulation of each encoder layer."""
        film = []
        h = self.embed(graph.atoms)
        for i, gin in enumerate(self.gin):
            h = self.encoder_layer(gin, h, graph)
            factor, shift = self.film(i, readout(h, graph), labels)
            film.append((factor, shift))
            h = h * factor + shift
        return self.projection(readout(h, graph)), film

    def queries(self, graph: Graph, film: list[Film]) -> Tensor:
        """Nodes of query molecules [Q, w]."""
        h = self.embed(graph.atoms)
        for gin, (factor, shift) in zip(self.gin, film):
            h = self.encoder_layer(gin, h, graph) * factor + shift
        return self.projection(readout(h, graph))

    def encoder_layer(self, gin: Gin, h: Tensor, graph: Graph) -> Tensor:
        messages = h[graph.source] + gin.bond(graph.bond[:, 0]) + gin.direction(graph.bond[:, 1])
        h = gin.norm(gin.mlp(torch.zeros_like(h).index_add(0, graph.target, messages)))
        if gin is not self.gin[-1]:
            h = F.relu(h)
        return F.dropout(h, self.dropout, self.training)

    def relate(self, support: Tensor, query: Tensor, labels: Tensor, shots: int) -> tuple[Tensor, Tensor]:
        """Logits [Q, L, 2] and plausibility [Q, L] of each layer of the relation graphs."""
        nodes = torch.cat([support.expand(len(query), -1, -1), query.unsqueeze(1)], 1)
        labels = labels.expand(len(query), -1)
        logits, depth = [], []
        for relation in self.relation:
            nodes, _ = relation(nodes, similarities(relation, nodes), shots)
            logits.append(self.classifier(nodes, labels))
            depth.append(self.depth(nodes, labels))
        return torch.stack(logits, 1), torch.stack(depth, 1)


def similarities(relation: Relation, nodes: Tensor) -> Tensor:
    """a_ij of all pairs of nodes [Q, N+1, w], 0 on the diagonal."""
    x = torch.exp(-(nodes.unsqueeze(2) - nodes.unsqueeze(1)).abs())
    a = relation.similarity(x).squeeze(-1)
    return a.masked_fill(torch.eye(a.shape[-1], dtype=torch.bool, device=a.device), 0)


def graph(molecules: Molecules) -> Graph:
    loops = torch.arange(len(molecules.atoms))
    bonds = torch.tensor([[SELF_LOOP, 0]]).expand(len(loops), 2)
    return Graph(molecules.atoms, torch.cat([molecules.source, loops]), torch.cat([molecules.target, loops]),
                 torch.cat([molecules.bond, bonds]),
                 torch.repeat_interleave(torch.arange(len(molecules)), molecules.sizes), molecules.sizes)


def readout(h: Tensor, graph: Graph) -> Tensor:
    """The mean over each molecule's atoms [n, d]."""
    total = h.new_zeros(len(graph.sizes), h.shape[1]).index_add(0, graph.molecule, h)
    return total / graph.sizes.unsqueeze(1)
