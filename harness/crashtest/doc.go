// Crashtest is the hostile test behind docs/reliability.md: it runs pacia, harms it, and
// inspects the files that remain.
//
//  1. Scenarios (scenario.go) are commands that write files, beside files of the user with the
//     names of temporary ones. Their data are so small that each takes less than a second or two.
//  2. Each command is run once undisturbed; its files are the reference (digest.go).
//  3. Harm is a SIGKILL, SIGINT or SIGTERM at a random moment, a SIGKILL or an error at one system call that
//     changes a file (traced_linux_amd64.go), a full disk, a changed byte of a file, or a
//     second process that uses the same files.
//  4. One library is ranked in several ways (ways.go), whose tables must agree to the byte, and
//     a server whose memory is limited is attacked (siege.go, slow.go).
//  5. After the harm the command must have ended with one line of error, or must have left
//     the files of the reference. The same command without harm must then leave exactly
//     those files, to the bit. Anything else is a loss: it is printed with the seed that
//     leads to it, and the program ends with 1.
//
// It is a separate program and not a test, since its flags set how long it takes.
package main
