// The table of operations. An operation is a row: its name, its plain form, which
// defines it, and the loops and kernels that were measured to be faster.
#include "core/op.hh"

#include <cstring>

namespace pacia {

#define PACIA_OP(op) template <class Path> void op(Args &);
PACIA_OP(embed_op)
PACIA_OP(gin_op)
PACIA_OP(mean_op)
PACIA_OP(attention_op)
PACIA_OP(film_op)
PACIA_OP(dropout_op)
PACIA_OP(counts_op)
PACIA_OP(dense_op)
PACIA_OP(pna_op)
PACIA_OP(pna_embed_op)
PACIA_OP(gnnfilm_op)
PACIA_OP(gnnfilm_embed_op)
PACIA_OP(gnnfilm_middle_op)
PACIA_OP(segment_mean_op)
PACIA_OP(pool_op)
PACIA_OP(combined_op)
PACIA_OP(jump_op)
PACIA_OP(relation_op)
PACIA_OP(hyper_op)
PACIA_OP(mlp_op)
PACIA_OP(mix_op)
PACIA_OP(classifier_op)
PACIA_OP(distance_op)
PACIA_OP(task_logits_op)
PACIA_OP(loss_op)
PACIA_OP(process_loss_op)
PACIA_OP(process_fit_op)
PACIA_OP(process_mean_op)
PACIA_OP(par_loss_op)
PACIA_OP(par_adapt_op)
PACIA_OP(par_nodes_op)
PACIA_OP(par_logits_op)
PACIA_OP(metric_op)
PACIA_OP(match_op)
PACIA_OP(mhnfs_keys_op)
PACIA_OP(mhnfs_op)
PACIA_OP(edges_op)
PACIA_OP(gsmeta_op)
PACIA_OP(mat_embed_op)
PACIA_OP(mat_op)
PACIA_OP(spectrum_op)
PACIA_OP(minimol_op)
#undef PACIA_OP

namespace {

const pacia_op table[] = {
    // encoder
    {"embed", embed_op<Plain>, nullptr, embed_op<Kernels>},
    {"gin layer", gin_op<Plain>, gin_op<Loops>, gin_op<Kernels>},
    {"mean layer", mean_op<Plain>, mean_op<Loops>, mean_op<Kernels>},
    {"attention layer", attention_op<Plain>, attention_op<Loops>, attention_op<Kernels>},
    {"film", film_op<Plain>, film_op<Loops>, film_op<Kernels>},
    // fingerprint
    {"embed counts", counts_op<Plain>, counts_op<Loops>, nullptr},
    {"dense layer", dense_op<Plain>, dense_op<Loops>, dense_op<Kernels>},
    // layers
    {"dropout", dropout_op<Plain>, dropout_op<Loops>, dropout_op<Kernels>},
    // pna
    {"pna block", pna_op<Plain>, pna_op<Loops>, pna_op<Kernels>},
    {"embed features", pna_embed_op<Plain>, pna_embed_op<Loops>, pna_embed_op<Kernels>},
    // gnnfilm
    {"gnn-film layer", gnnfilm_op<Plain>, gnnfilm_op<Loops>, gnnfilm_op<Kernels>},
    {"gnn-film embedding", gnnfilm_embed_op<Plain>, gnnfilm_embed_op<Loops>, gnnfilm_embed_op<Kernels>},
    {"mean of states", gnnfilm_middle_op<Plain>, nullptr, nullptr},
    // readout
    {"segment mean", segment_mean_op<Plain>, segment_mean_op<Loops>, segment_mean_op<Kernels>},
    {"pool", pool_op<Plain>, pool_op<Loops>, nullptr},
    {"combined readout", combined_op<Plain>, combined_op<Loops>, nullptr},
    {"jumping knowledge", jump_op<Plain>, jump_op<Loops>, nullptr},
    // relation
    {"relation layer", relation_op<Plain>, relation_op<Loops>, relation_op<Kernels>},
    // head
    {"hypernetwork", hyper_op<Plain>, hyper_op<Loops>, hyper_op<Kernels>},
    {"mlp", mlp_op<Plain>, mlp_op<Loops>, mlp_op<Kernels>},
    {"mixture of layers", mix_op<Plain>, nullptr, mix_op<Kernels>},
    {"classifier", classifier_op<Plain>, classifier_op<Loops>, classifier_op<Kernels>},
    {"distances to class means", distance_op<Plain>, nullptr, nullptr},
    {"logits of tasks", task_logits_op<Plain>, task_logits_op<Loops>, nullptr},
    {"loss", loss_op<Plain>, nullptr, loss_op<Kernels>},
    // gaussian
    {"gaussian process loss", process_loss_op<Plain>, nullptr, nullptr},
    {"gaussian process fit", process_fit_op<Plain>, nullptr, nullptr},
    {"gaussian process mean", process_mean_op<Plain>, nullptr, nullptr},
    // par
    {"par loss", par_loss_op<Plain>, nullptr, nullptr},
    {"par adaptation", par_adapt_op<Plain>, nullptr, nullptr},
    {"par nodes", par_nodes_op<Plain>, nullptr, nullptr},
    {"par logits", par_logits_op<Plain>, nullptr, nullptr},
    // metric
    {"metric of class means", metric_op<Plain>, nullptr, nullptr},
    // match
    {"match with the support", match_op<Plain>, nullptr, nullptr},
    // mhnfs
    {"mhnfs keys", mhnfs_keys_op<Plain>, nullptr, nullptr},
    {"mhnfs", mhnfs_op<Plain>, mhnfs_op<Loops>, mhnfs_op<Kernels>},
    // edges
    {"edge graph", edges_op<Plain>, nullptr, nullptr},
    // gsmeta
    {"property graph", gsmeta_op<Plain>, nullptr, nullptr},
    // mat
    {"embed nodes", mat_embed_op<Plain>, nullptr, nullptr},
    {"molecule attention layer", mat_op<Plain>, nullptr, nullptr},
    // minimol
    {"walks and eigenvectors", spectrum_op<Plain>, nullptr, nullptr},
    {"minimol", minimol_op<Plain>, minimol_op<Loops>, minimol_op<Kernels>},
};
constexpr int rows = sizeof table / sizeof table[0];

}  // namespace
}  // namespace pacia

extern "C" {

const pacia_op *pacia_op_at(int i) { return i < pacia::rows ? &pacia::table[i] : nullptr; }

const pacia_op *pacia_find(const char *name) {
  for (const pacia_op &op : pacia::table)
    if (std::strcmp(op.name, name) == 0) return &op;
  return nullptr;
}

}  // extern "C"
