// Hard is the hostile test behind docs/reliability.md: it runs pacia, harms it, and
// inspects the files that remain.
//
//  1. Scenarios (scenario.go) are commands that write files: train, replicas, sweep,
//     pretrain, prepare, predict, export; each on data so small that it takes less
//     than a second.
//  2. Each is made once undisturbed; its files are the reference (digest.go).
//  3. Harm is a SIGKILL at a moment drawn at random, a SIGKILL or an error at one call
//     of the system that changes a file (traced_linux_amd64.go), a disk that is full, a
//     byte of a file that is changed, or a second process at the same files.
//  4. One library is ranked in several ways (ways.go), whose tables must agree to the byte, and
//     a server whose memory is limited is attacked (siege.go, slow.go).
//  5. After the harm the command either has ended with one line of error, or has left the
//     files of the reference. A second command without harm leaves exactly those files,
//     to the bit. Anything else is a loss: it is printed with the seed that leads to it,
//     and makes the program end with 1.
//
// It is a separate program and not a test, since its flags set how long it takes.
package main
