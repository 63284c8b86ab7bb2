// The head's operations, which choose for themselves between loops and kernels.
#include "head.hh"

namespace pacia {

template <class Path>
void hyper_op(Args &a) { hyper_op(Positional(a)); }
template <class Path>
void mlp_op(Args &a) { mlp_op(Positional(a)); }
template <class Path>
void mix_op(Args &a) { mix_op(Positional(a)); }
template <class Path>
void classifier_op(Args &a) { classifier_op(Positional(a)); }
template <class Path>
void loss_op(Args &a) { loss_op(Positional(a)); }
template void hyper_op<Plain>(Args &);
template void mlp_op<Plain>(Args &);
template void mix_op<Plain>(Args &);
template void classifier_op<Plain>(Args &);
template void loss_op<Plain>(Args &);

}  // namespace pacia
