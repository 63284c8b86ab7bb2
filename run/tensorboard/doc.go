// Package tensorboard writes event files, which TensorBoard shows as curves.
//
//  1. An event file is records: their length, its checksum, an event, its checksum
//     (record.go; TensorFlow's TFRecord).
//  2. An event is a protobuf: a time, a step, and the values of some tags (event.go;
//     event.proto and summary.proto of TensorBoard). The first one names the version of
//     the file, the second says that all earlier events of the folder are void.
//  3. The events of a run are the lines of its metrics.jsonl (lines.go), under
//     TensorBoard's names: train/loss, validation/roc_auc …. Those of a pretraining come
//     from its pretrain.jsonl (pretraining.go).
//  4. A File holds the events of a run under way (file.go). When a run is resumed, its
//     log is first cut back to the checkpoint, and the File is written again from that
//     log, so that no step appears twice.
//
// TensorBoard reads the folder of a run, or a folder that holds many: tensorboard
// --logdir runs.
package tensorboard
