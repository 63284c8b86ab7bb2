// The relation layer by each of the paths.
#include "relation.hh"

namespace pacia {

template <class Path>
void relation_op(Args &a) {
  relation_op(Positional(a), std::is_same_v<Path, Plain>);
}
template void relation_op<Plain>(Args &);
template void relation_op<Loops>(Args &);
template void relation_op<Kernels>(Args &);

}  // namespace pacia
