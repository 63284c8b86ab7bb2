"""The floating-point work of a training step: its matrix products alone, 2·m·k·n each.

In the backward pass, a product costs twice as much as in the forward pass: once for
the gradient of the input and once for that of the weights. Other operations (normalisation,
exp(−|h_i − h_j|), sums over bonds and pairs, the optimiser) are not counted.

Legend: A atoms, B tasks, N support molecules of each, Q queries of all, K
neighbours that a node keeps, n = N+1 nodes of a query's relation graph.
"""

from dataclasses import dataclass

from net import ATOM_WIDTH as D
from net import ENCODER_LAYERS, RELATION_LAYERS
from net import NODE_WIDTH as W

FORWARD_AND_BACKWARD = 3

# The work of one row through each of the model's networks.
GIN = 2 * (D * 2 * D + 2 * D * D)
FILM_MOLECULE = 2 * ((D + 2) * D + 2 * D * D)
FILM_TASK = 2 * (2 * D * D + 2 * D * D)
PROJECTION = 2 * (D * W + W * W)
PAIR = 2 * (W * 2 * W + 2 * W * W + W)
NODE = 2 * (2 * W * W)
DEPTH_MOLECULE = 2 * ((W + 2) * W + 2 * W * W)
DEPTH_QUERY = 2 * (2 * W * W + 2 * (2 * W) * (2 * W) + 2 * W)
CLASSIFIER_PROTOTYPE = 2 * (4 * W * W + 3 * W * W + W)


@dataclass
class Sizes:
    """The sizes of a training step."""

    atoms: int  # A
    tasks: int  # B
    support: int  # N
    queries: int  # Q
    shots: int  # K

    @property
    def molecules(self) -> int:
        return self.tasks * self.support + self.queries

    @property
    def pairs(self) -> int:
        """The number of pairs i < j in the graphs of all queries, in one relation layer."""
        return self.queries * self.support * (self.support + 1) // 2


def beside_pairs(s: Sizes) -> int:
    """The products of a step without the pair network's."""
    nodes = s.queries * (s.support + 1)
    encoder = ENCODER_LAYERS * (s.atoms * GIN + 2 * s.tasks * (s.support * FILM_MOLECULE + FILM_TASK))
    layer = nodes * NODE + nodes * (s.support + 1) * 2 * W
    layer += s.queries * (s.support * DEPTH_MOLECULE + DEPTH_QUERY + 2 * CLASSIFIER_PROTOTYPE)
    return FORWARD_AND_BACKWARD * (encoder + s.molecules * PROJECTION + RELATION_LAYERS * layer)


def plain(s: Sizes) -> int:
    """A step according to the equations, with each pair i < j once: a_ij = a_ji."""
    return beside_pairs(s) + FORWARD_AND_BACKWARD * RELATION_LAYERS * s.pairs * PAIR


def shared(s: Sizes) -> float:
    """A step without the pairs that change nothing.

    What pacia itself computes is less, and how much less depends on the
    molecules: atoms with the same environments are encoded once, and most pairs
    of support molecules are followed from an anchor (ops/relation/pieces.hh).

    In the first layer a task's support nodes are the same for all of its queries,
    and so are their pairs. In the backward pass a pair that neither of its rows
    keeps has no gradient; where the rows choose K of N independently, a share of
    1 − (1 − K/N)² is kept.
    """
    first = s.tasks * s.support * (s.support - 1) // 2 + s.queries * s.support
    pairs = first + (RELATION_LAYERS - 1) * s.pairs
    kept = 1 - (1 - s.shots / s.support) ** 2
    return beside_pairs(s) + (1 + 2 * kept) * pairs * PAIR
