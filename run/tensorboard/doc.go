// Package tensorboard writes event files, which TensorBoard shows as curves.
//
//  1. An event file is records: their length, its checksum, an event, its checksum
//     (record.go; TensorFlow's TFRecord).
//  2. An event is a protobuf: a time, a step, and the values of some tags (event.go;
//     event.proto and summary.proto of TensorBoard). The first one names the version of
//     the file, the second says that all earlier events of the folder are void.
//  3. The events of a run are the lines of its metrics.jsonl (lines.go), in other words:
//     train/loss, validation/roc_auc …; of a pretraining those of its pretrain.jsonl
//     (pretraining.go).
//  4. A File is the events of a run under way (file.go). It is made anew from
//     that log whenever the run is taken up again, after that was cut back to the
//     checkpoint: no step is there twice.
//
// So the folder of a run, or one that holds many, is what TensorBoard is given:
// tensorboard --logdir runs.
package tensorboard
