// Package checkpoint keeps a model on the disk, with the facts about the run that it
// comes from.
//
//  1. A checkpoint is one safetensors file, whole or not there. Its metadata are a
//     Meta: the settings, the tasks, and how far the run was. Save writes it, Open
//     and File.Restore read it.
//  2. Its tensors are Variables (variable.go): those of the model and, if the run can be
//     resumed from it, those of the optimiser.
//  3. File.Model makes the model of a checkpoint, for evaluation and prediction. It
//     needs no trainer.
//  4. Export writes the model alone, for other programs, and for the one that ships
//     in this one (package weights), which Read takes from memory.
//  5. StartFrom gives a model the encoder of a file (model.pretrained): a checkpoint,
//     an exported model or a state dict of PyTorch, StartEncoder an encoder alone
//     (pacia pretrain --start). Initialise gives it all weights of another run
//     (train.init).
package checkpoint
