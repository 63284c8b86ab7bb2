#include "core/libtorch.hh"

#include "core/args.hh"

namespace pacia {

Tensor Args::tensor() {
  if (tensor_ >= a_->n_in) throw std::invalid_argument("too few tensors");
  auto *t = static_cast<Tensor *>(a_->in[tensor_++]);
  return t ? *t : Tensor();
}

std::vector<Tensor> Args::tensors(int64_t n) {
  std::vector<Tensor> list;
  for (int64_t i = 0; i < n; i++) list.push_back(tensor());
  return list;
}

int64_t Args::integer() {
  if (integer_ >= a_->n_ints) throw std::invalid_argument("too few integers");
  return a_->ints[integer_++];
}

std::vector<int64_t> Args::integers() {
  std::vector<int64_t> list;
  while (integer_ < a_->n_ints) list.push_back(integer());
  return list;
}

double Args::real() {
  if (real_ >= a_->n_reals) throw std::invalid_argument("too few numbers");
  return a_->reals[real_++];
}

std::vector<double> Args::reals() {
  std::vector<double> list;
  while (real_ < a_->n_reals) list.push_back(real());
  return list;
}

void Args::give(Tensor t) {
  if (given_ < a_->n_out) a_->out[given_] = new Tensor(std::move(t));
  given_++;
}

void Args::end() const {
  if (tensor_ != a_->n_in || integer_ != a_->n_ints || real_ != a_->n_reals)
    throw std::invalid_argument("too many arguments");
}

}  // namespace pacia
