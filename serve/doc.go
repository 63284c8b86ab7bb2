// Package serve implements `pacia serve`: a web page and an HTTP interface for programs, both on top of
// package screen.
//
//  1. A Server holds one model (server.go). Every request passes the guard (guard.go),
//     which refuses requests of other origins.
//  2. Files arrive as uploads (upload.go), in memory or in a temporary file without a name.
//     Fields have the names of the flags of `pacia predict` (form.go, body.go).
//     The server never opens a file by a name from a request.
//  3. POST /v1/read reports how one file was interpreted (read.go).
//  4. POST /v1/rank makes a job (job.go), which waits for its turn in the queue (queue.go). The numbers of
//     running and of waiting jobs are limited, and further requests are refused. rank.go runs a job.
//  5. A job's rows are sorted, filtered and paged (rows.go) and downloaded (download.go).
//     A job is removed by DELETE, at the end of a request that waits for it, or after a time without
//     requests.
//  6. The page (page.go, page/) uses only this interface. It is an html/template, a style
//     sheet and JavaScript, all embedded in the program.
//
// docs/serve.md is the documentation for users.
package serve
