// Stands before libtorch's own torch/torch.h on the include path.
//
// gotch 0.8 wraps every function of libtorch 2.0. Those below have gone from
// newer ones, or take other arguments. pacia calls none of them, so templates
// that take anything let gotch compile: a name declared in torch hides the one
// that torch imports from at. The list was made against libtorch 2.11.
#pragma once

#include_next <torch/torch.h>
#include <torch/version.h>

#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR > 0

#include <stdexcept>
#include <tuple>

namespace torch {

// gotch takes up to four tensors out of what these return.
using AbsentTuple = std::tuple<Tensor, Tensor, Tensor, Tensor>;

#define PACIA_ABSENT(type, name)                                       \
	template <typename... Args>                                        \
	type name(const Args &...) {                                       \
		throw std::runtime_error(#name ": absent from this libtorch"); \
	}

PACIA_ABSENT(bool, _chunk_grad_outputs_efficient_attention)
PACIA_ABSENT(AbsentTuple, _efficient_attention_backward)
PACIA_ABSENT(AbsentTuple, _flash_attention_backward)
PACIA_ABSENT(AbsentTuple, _native_decoder_only_multi_head_attention)
PACIA_ABSENT(AbsentTuple, _native_decoder_only_multi_head_attention_out)
PACIA_ABSENT(Tensor, _nested_view_from_buffer)
PACIA_ABSENT(Tensor, _nested_view_from_buffer_copy)
PACIA_ABSENT(Tensor, _nested_view_from_buffer_copy_out)
PACIA_ABSENT(AbsentTuple, _scaled_dot_product_attention)
PACIA_ABSENT(AbsentTuple, _scaled_dot_product_efficient_attention)
PACIA_ABSENT(AbsentTuple, _scaled_dot_product_efficient_attention_backward)
PACIA_ABSENT(AbsentTuple, _scaled_dot_product_flash_attention_backward)
PACIA_ABSENT(AbsentTuple, _transformer_decoder_only_layer_fwd)
PACIA_ABSENT(AbsentTuple, _transformer_decoder_only_layer_fwd_out)
PACIA_ABSENT(Tensor, to_sparse_bsc_out)
PACIA_ABSENT(Tensor, to_sparse_bsr_out)
PACIA_ABSENT(Tensor, to_sparse_csc_out)
PACIA_ABSENT(Tensor, to_sparse_csr_out)
PACIA_ABSENT(Tensor, to_sparse_out)

#undef PACIA_ABSENT

} // namespace torch

#endif
