// Package tensorboard writes event files, which TensorBoard displays as curves.
//
//  1. An event file is records: their length, its checksum, an event, its checksum
//     (record.go; TensorFlow's TFRecord).
//  2. An event is a protobuf: a time, a step, and the values of some tags (event.go;
//     event.proto and summary.proto of TensorBoard). The first one names the version of
//     the file, the second declares all earlier events of the folder void.
//  3. The events of a run are the lines of its metrics.jsonl (lines.go), under
//     TensorBoard's names: train/loss, validation/roc_auc …. Those of a pretraining come
//     from its pretrain.jsonl (pretraining.go).
//  4. A File holds the events of a running run (file.go). When a run is resumed, its
//     log is first cut back to the checkpoint, and the File is written again from that
//     log, so that no step appears twice.
//
// TensorBoard reads the folder of one run or of several: tensorboard --logdir runs.
package tensorboard
