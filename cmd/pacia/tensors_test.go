package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTensorsAreDocumented checks that docs/programs.md has the tensors of the methods that it describes.
func TestTensorsAreDocumented(t *testing.T) {
	page, err := filepath.Abs("../../docs/programs.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	model, err := filepath.Abs("../../weights/fsmol.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	exampleFolder(t)
	trained(t, "pacia")
	number, part := regexp.MustCompile(`\.\d+`), regexp.MustCompile(`\.(weight|bias)$`)
	for _, file := range []string{model, "pacia/best.ckpt"} {
		for name := range readPlain(t, file).tensors {
			documented := number.ReplaceAllString(part.ReplaceAllString(name, ""), ".N")
			if !strings.Contains(string(text), "`"+documented+"`") {
				t.Errorf("docs/programs.md does not have %s, of %s", documented, filepath.Base(file))
			}
		}
	}
}
