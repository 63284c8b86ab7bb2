// Package checkpoint stores a model in a file, with a description of the run that
// trained it.
//
//  1. A checkpoint is one safetensors file, complete or absent. Its metadata are a
//     Meta: the settings, the tasks, and the progress of the run. Save writes it, Open
//     and File.Restore read it.
//  2. Its tensors are Variables (variable.go): those of the model and, if the run can be
//     resumed from it, those of the optimiser.
//  3. File.Model makes the model of a checkpoint, for evaluation and prediction. It
//     needs no trainer.
//  4. Export writes the model alone, for other programs and for the model that ships
//     (package weights), which Read reads from memory. Import writes such a file that
//     another program has changed.
//  5. StartFrom copies the encoder of a file to a model (model.pretrained). The file is
//     a checkpoint, an exported model or a state dict of PyTorch. StartEncoder does so
//     for an encoder alone (pacia pretrain --start). Initialise copies all weights of
//     another run (train.init).
package checkpoint
