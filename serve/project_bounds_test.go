package serve_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// forgedProjects is JavaScript that reads crafted descriptions of projects, and lists those that are not refused.
const forgedProjects = `import("/project.js").then(({ assaysOf }) => {
	const of = (k) => ({ file: k }), many = (n, v) => Array(n).fill(v);
	const fields = [["q", "x"], ["b", true]], support = [of("k")], library = [of("k")], sent = [["support", of("k")]];
	const whole = () => ({ name: "a", against: [-1, 0], fields, support, library, sent });
	const opens = (assays) => {
		try {
			const about = { format: "pacia project", version: 1, chosen: 0, assays };
			return assaysOf({ about, files: new Map([["k", new Blob(["x"])]]) }).assays.length > 0;
		} catch { return false; }
	};
	const cases = {
		"many assays": (a) => many(100000, a), "a place of no assay": (a) => [{ ...a, against: [1e9] }],
		"a part of a place": (a) => [{ ...a, against: [0.5] }],
		"many places": (a) => [{ ...a, against: many(100000, 0) }],
		"many fields": (a) => [{ ...a, fields: many(100000, ["a", "b"]) }],
		"no field": (a) => [{ ...a, fields: [null] }], "a long name": (a) => [{ ...a, name: "x".repeat(1e6) }],
		"many files": (a) => [{ ...a, library: many(101, of("k")) }],
		"many parts": (a) => [{ ...a, sent: many(100000, ["a", "b"]) }],
		"no file": (a) => [{ ...a, support: [of("none")] }],
	};
	const opened = Object.keys(cases).filter((name) => opens(cases[name](whole())));
	return [...opened, opens([whole()]) ? "" : "the whole one is refused"].join(" ");
})`

// TestForgedProjects: the page refuses projects with lists, texts or numbers that no page writes.
func TestForgedProjects(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	var opened string
	if b.do(chromedp.Evaluate(forgedProjects, &opened, awaited)); strings.TrimSpace(opened) != "" {
		t.Errorf("opened, or refused: %s", opened)
	}
	b.well()
}
