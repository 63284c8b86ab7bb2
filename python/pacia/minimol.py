"""Vectors of the encoder MiniMol: packages gnn/minimol and gnn/minimol/op.

Legend: A atoms, E bonds counted in both directions, n molecules of a batch, k eigenvectors.
"""

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from rdkit import Chem

from .molecules import BONDS

WALKS, EIGEN = 16, 8  # return probabilities of an atom; eigenvectors
LAYERS, EPS, SAME = 16, 1e-5, 1e-6
ELEMENTS = {number: place for place, number in enumerate((
    6, 7, 8, 16, 9, 14, 15, 17, 35, 12, 11, 20, 26, 33, 13, 53, 5, 23, 19, 81, 70, 51, 50, 47, 46, 27, 34, 22, 30, 1, 3, 32, 29, 79, 28,
    48, 49, 25, 40, 24, 78, 80, 82))}
PLACES = 44, 20, 8, 8  # element, group, period, valence; the last place of each is for all others
TYPES, STEREO = 5, 7
STEREOS = {Chem.BondStereo.STEREONONE: 0, Chem.BondStereo.STEREOANY: 1, Chem.BondStereo.STEREOZ: 2, Chem.BondStereo.STEREOE: 3,
           Chem.BondStereo.STEREOCIS: 4, Chem.BondStereo.STEREOTRANS: 5}
NOBLE_GASES = 2, 10, 18, 36, 54, 86, 118


# The files of the network: beside this one in a wheel, gnn/minimol in the sources.
HERE = Path(__file__).parent
FOLDERS = HERE / "minimol", HERE.parent.parent / "gnn" / "minimol"


class MiniMol:
    """The encoder: the network of state_dict.pth, and the means and deviations of standard.txt."""

    def __init__(self):
        folder = next((f for f in FOLDERS if (f / "state_dict.pth").exists()), None)
        if folder is None:
            raise ValueError(f"no state_dict.pth of MiniMol in {' or '.join(map(str, FOLDERS))}; copy gnn/minimol of the sources there, "
                             "or write minimol=False")
        stored = torch.load(folder / "state_dict.pth", map_location="cpu", weights_only=True)
        self.weights = {name.removeprefix("model."): t.float() for name, t in stored.items()}
        self.mean, self.deviation = torch.from_numpy(np.loadtxt(folder / "standard.txt", dtype=np.float32)).T
        self.bonds = F.one_hot(torch.arange(TYPES * STEREO * 2) // 2 // STEREO, TYPES), \
            F.one_hot(torch.arange(TYPES * STEREO * 2) // 2 % STEREO, STEREO), (torch.arange(TYPES * STEREO * 2) % 2).unsqueeze(1)
        self.bonds = torch.cat(self.bonds, 1).float()

    def dense(self, name, x):
        return F.linear(x, self.weights[name + ".weight"], self.weights[name + ".bias"])

    def norm(self, name, x):
        return F.layer_norm(x, x.shape[-1:], self.weights[name + ".weight"], self.weights[name + ".bias"], EPS)

    def steps(self, name, x, *acts):
        """Returns act(LN(W x + b)) of each fully connected layer, name.0 and so on."""
        for l, act in enumerate(acts):
            x = act(self.norm(f"{name}.{l}.normalization", self.dense(f"{name}.{l}.linear", x)))
        return x

    def positions(self, spectrum):
        """Returns the features [A, d] of the positions of atoms. An eigenvector has no sign of its own: the mean over both is taken."""
        walks, values, vectors = spectrum.split((WALKS, EIGEN, EIGEN), 1)
        name = "encoder_manager.pe_encoders.la_pos."

        def of(signed):
            x = self.dense(name + "linear_in.linear", torch.stack((values, signed), 2))
            x = self.dense(name + "pe_encoder.fully_connected.0.linear", x).relu()
            return self.dense(name + "pe_encoder.fully_connected.1.linear", x)
        eigen = self.dense(name + "post_mlp.fully_connected.0.linear", ((of(vectors) + of(-vectors)) / 2).sum(1))
        name = "encoder_manager.pe_encoders.rw_pos.pe_encoder."
        walks = self.steps(name + "fully_connected", self.norm(name + "first_normalization", walks), torch.relu, torch.relu)
        return eigen + walks

    @torch.no_grad()
    def vectors(self, mols):
        """Returns the vectors [n, 512] of molecules of RDKit, standardised over FS-Mol's training molecules."""
        orders = [Order(mol) for mol in mols]
        sizes = torch.tensor([len(o.atoms) for o in orders])
        of, first = torch.repeat_interleave(torch.arange(len(mols)), sizes), (sizes.cumsum(0) - sizes).tolist()
        ends = torch.tensor([(u + at, v + at) for o, at in zip(orders, first) for u, v in o.ends]).reshape(-1, 2)
        codes = torch.tensor([code for o in orders for code in o.codes], dtype=torch.long)
        source, target, codes = torch.cat((ends[:, 0], ends[:, 1])), torch.cat((ends[:, 1], ends[:, 0])), codes.repeat(2)
        spectrum = torch.from_numpy(np.concatenate([o.spectrum() for o in orders]).astype(np.float16).astype(np.float32))
        features = torch.tensor([row for o in orders for row in o.atoms])
        hot = [F.one_hot(features[:, 5 + i], places) for i, places in enumerate(PLACES)]
        x = torch.cat([self.positions(spectrum), features[:, :5], *hot], 1).float()
        x = self.steps("pre_nn.layers", x, torch.relu, lambda y: y)
        bonds = self.steps("pre_nn_edges.layers", self.bonds, torch.relu, lambda y: y)
        share, node, before = (sizes.log() / sizes).unsqueeze(1), 0., 0.
        for l in range(LAYERS):
            name = f"gnn.layers.{l}."
            kinds = self.dense(name + "model.lin", bonds)
            x = x.index_add(0, target, (x[source] + kinds[codes]).relu())
            name += "model.nn.fully_connected."
            x = F.gelu(self.norm(name + "0.normalization", self.dense(name + "0.linear", x)))
            x = F.gelu(self.norm(f"gnn.layers.{l}.norm_layer", self.dense(name + "1.linear", x)))
            if l == LAYERS - 1:
                break
            x = before = x + before
            all_atoms = x.new_zeros(len(mols), x.shape[1]).index_add(0, of, x) * share + node
            name = f"gnn.virtual_node_layers.{l}."
            node = node + F.gelu(self.norm(name + "fc_layer.normalization", self.dense(name + "fc_layer.linear", all_atoms)))
            x = x + self.dense(name + "node_projection", node / 2)[of]
        highest = torch.stack([atoms.amax(0) for atoms in x.split(sizes.tolist())])
        return (highest - self.mean) / self.deviation


class Order:
    """A molecule's atoms and bonds in canonical order: where an eigenvalue is repeated, eigenvectors depend on the order.

    atoms [A, 9] has five numbers and the places of four categories, ends [E/2, 2] and codes [E/2] the bonds.
    """

    def __init__(self, mol):
        rank = list(Chem.CanonicalRankAtoms(mol))
        self.atoms = [features(a) for a in sorted(mol.GetAtoms(), key=lambda a: rank[a.GetIdx()])]
        bonds = sorted((*sorted((rank[b.GetBeginAtomIdx()], rank[b.GetEndAtomIdx()])), code(b)) for b in mol.GetBonds())
        self.ends, self.codes = [(u, v) for u, v, _ in bonds], [c for _, _, c in bonds]

    def spectrum(self):
        """Returns return probabilities, eigenvalues and entries of eigenvectors [A, 32] (gnn/minimol/op/spectrum.cc)."""
        n = len(self.atoms)
        adjacency, out = np.zeros((n, n)), np.zeros((n, WALKS + 2 * EIGEN))
        for u, v in self.ends:
            adjacency[u, v] = adjacency[v, u] = 1
        degree = adjacency.sum(1)
        root = 1 / np.sqrt(np.maximum(degree, 1))
        power, walk = np.eye(n), adjacency * root * root[:, None]
        for k in range(WALKS):
            power = power @ walk
            out[:, k] = 1 if n == 1 else power.diagonal()
        for atoms in components(adjacency):
            values, vectors = np.linalg.eigh(np.diag(degree[atoms]) - adjacency[np.ix_(atoms, atoms)])
            k, begin = min(len(atoms), EIGEN), 0
            while begin < k:
                end = begin + 1
                while end < len(atoms) and values[end] - values[end - 1] < SAME:
                    end += 1
                if end - begin > 1:
                    turn(vectors, begin, end, out[atoms, :WALKS].astype(np.float32))
                begin = end
            out[atoms, WALKS:WALKS + k] = values[:k]
            out[atoms, WALKS + EIGEN:WALKS + EIGEN + k] = vectors[:, :k]
        return out


def features(atom):
    number, others = atom.GetAtomicNum(), [places - 1 for places in PLACES]
    group, period = place_in_table(number)
    valence = atom.GetTotalValence()
    return [atom.GetTotalDegree() - 2, atom.GetFormalCharge(), atom.GetNumRadicalElectrons(), int(atom.GetIsAromatic()), int(atom.IsInRing()),
            ELEMENTS.get(number, others[0]), group if 0 <= group < others[1] else others[1], period if period >= 0 else others[2],
            valence if valence < others[3] else others[3]]


def place_in_table(number):
    """Returns the group, 0 to 17, or 18 for lanthanides and actinides but the first of each, and the period, 0 to 6; -1 of a dummy atom."""
    if number == 0:
        return -1, -1
    period = sum(gas < number for gas in NOBLE_GASES)
    left = NOBLE_GASES[period] - number
    since = number if period == 0 else number - NOBLE_GASES[period - 1]
    if number == 1 or period > 0 and since <= 2:
        return since - 1, period
    if left < 15 or period < 5:
        return 17 - left, period
    return (2 if since == 3 else 18), period


def code(bond):
    stereo = STEREOS.get(bond.GetStereo(), STEREO - 1)
    return (BONDS[bond.GetBondType()] * STEREO + stereo) * 2 + bond.IsInRing()


def components(adjacency):
    """Yields the atoms of each connected component, ascending."""
    rest = set(range(len(adjacency)))
    while rest:
        found, new = set(), {min(rest)}
        while new:
            found |= new
            new = {int(v) for u in new for v in np.flatnonzero(adjacency[u])} - found
        rest -= found
        yield sorted(found)


def turn(vectors, begin, end, walks):
    """Chooses the basis of the eigenvectors begin to end, columns of vectors [n, n], from the projections of atoms."""
    p = vectors[:, begin:end] @ vectors[:, begin:end].T
    for t in range(begin, end):
        a = 0
        for i in range(1, len(p)):
            more = p[i, i] - p[a, a]
            if more > SAME or more > -SAME and later(walks[a], walks[i]):
                a = i
        vectors[:, t] = p[:, a] / np.sqrt(p[a, a])
        p -= np.outer(vectors[:, t], vectors[:, t])


def later(a, b):
    """Reports whether atom a comes after b if their projections have the same length."""
    differ = np.flatnonzero(np.abs(a - b) > SAME)
    return len(differ) > 0 and a[differ[0]] < b[differ[0]]
