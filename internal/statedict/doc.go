// Package statedict reads files of torch.save(model.state_dict(), FILE): named
// tensors, in either of PyTorch's two forms.
//
//  1. Since 1.6 a ZIP archive: data.pkl is a pickle of the names and shapes,
//     data/KEY the numbers of one storage.
//  2. Before, a row of pickles (a magic number, a version, the machine, names
//     and shapes, the storages' keys), and then each storage: the number of
//     its elements, and these.
//
// A pickle is a program for a stack machine, which in Python may call any
// function. The machine here knows only the instructions that build
// dictionaries, lists and numbers, and the functions that rebuild tensors. It
// calls nothing, and refuses the rest by name. The memory that a file can
// claim is bounded by the file's own size.
package statedict
