package main

import (
	"strings"
	"testing"
)

// TestExport checks that an exported model ranks like its checkpoint, and that another run
// can start from it.
func TestExport(t *testing.T) {
	exampleFolder(t)
	trained(t, "run")
	out := ok(t, "export", "run/last.ckpt", "--out", "model.safetensors")
	if !strings.HasPrefix(out, "model.safetensors: ") || !strings.HasSuffix(out, " numbers, of the model after episode 6 on library\n") {
		t.Errorf("export prints %q", out)
	}
	of := func(file string) string {
		return strings.Replace(ok(t, "eval", "--checkpoint", file, "--set", "threads=1"), file, "", 1)
	}
	const seconds = `(in|took) [0-9.]+ m?s`
	if got, want := mask(of("model.safetensors"), seconds), mask(of("run/last.ckpt"), seconds); got != want {
		t.Errorf("the exported model gives\n%s\nits checkpoint\n%s", got, want)
	}
	trained(t, "second", "--set", "model.pretrained=model.safetensors")
	wantFault(t, "pacia: pacia export needs --out; write --out FILE: FILE to write, such as model.safetensors", "export", "run/last.ckpt")
	wantFault(t, "pacia: pacia export takes one checkpoint, not 0; write one such as runs/embedded-0/best.ckpt", "export", "--out", "x")
	wantFault(t, "pacia: --out run/last.ckpt would overwrite run/last.ckpt; write another name", "export", "run/last.ckpt", "--out", "run/last.ckpt")
	wantFault(t, "pacia: run: is a folder; write the name of a file", "export", "run/last.ckpt", "--out", "run")
}
