// Package statedict reads files of torch.save(model.state_dict(), FILE): named
// tensors, in either of PyTorch's two forms.
//
//  1. Since 1.6 the file is a ZIP archive: data.pkl is a pickle of the names and
//     shapes, and data/KEY has the elements of one storage.
//  2. Before, it was a sequence of pickles (a magic number, a version, the machine,
//     names and shapes, the storages' keys), followed by each storage: the number
//     of its elements, and the elements.
//
// A pickle is a program for a stack machine, which can call any function in Python.
// The machine of this package has only the instructions that build dictionaries,
// lists and numbers, and replaces the functions that rebuild tensors. It does not
// call functions, and refuses all others by name. The memory for a file is limited
// by the file's size.
package statedict
