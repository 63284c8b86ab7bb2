// Package serve is `pacia serve`: a page in the browser, and the same for programs, on top of
// package screen.
//
//  1. A Server holds one model (server.go). Every request passes the guard (guard.go),
//     which accepts no other origin than the server's own.
//  2. Files are taken in as uploads (upload.go), in memory or in a temporary file without a name.
//     With them come fields named like the flags of `pacia predict` (form.go, body.go).
//     Names of files are names: nothing is opened by them.
//  3. POST /v1/read reports how one file was interpreted (read.go).
//  4. POST /v1/rank makes a job (job.go), which waits for its turn in the queue (queue.go). There
//     few run, some wait, and the rest are refused; rank.go carries a job out.
//  5. A job's rows are sorted, filtered and paged (rows.go) and downloaded (download.go).
//     A job ends with DELETE, with its request where that waits for it, or when nobody has
//     asked for it for a while.
//  6. The page (page.go, page/) uses nothing but this interface: html/template, a style
//     sheet and JavaScript, all in the program.
//
// docs/serve.md describes it for its users.
package serve
