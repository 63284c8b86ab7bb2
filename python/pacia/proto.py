"""Package proto: class means."""

from .encoder import Encoder, class_means, unit


class Proto:
    """Distances of queries to the means of the classes."""

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
