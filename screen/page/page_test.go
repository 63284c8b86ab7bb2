package page

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// example returns a page of a few molecules with text in place of everything that users write.
func example(text string, rows int) *Page {
	p := &Page{
		Made: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), Model: "model " + text, Assay: text + "support.csv", Verdict: "as good",
		Panel: [][2]string{{"check", "left out " + text}}, Sentence: "as good " + text, Read: []string{text + "semicolons"}, Settings: [][2]string{{"program", text}},
		Hits: text, Ranked: rows, Unread: 2, Pool: rows, Scores: NewHistogram(0.9),
		Support: []Molecule{{Name: text, SMILES: "CCO", Active: true}, {Name: "amine", SMILES: "CCN"}, {SMILES: "c1ccccc1O", Active: true}},
	}
	for i := range rows {
		r := Row{
			Molecule: Molecule{Name: fmt.Sprintf("%s no. %d", text, i+1), SMILES: strings.Repeat("C", 1+i%30) + []string{"O", "N", "c1ccccc1"}[i%3]},
			Rank:     i + 1, Probability: 0.9 - float64(i)/1000, Facts: []Fact{{"uncertainty", "0.80"}},
			Nearest: 2 * (i % 2), Tanimoto: 0.25, Outside: i%4 == 3,
		}
		if i%5 == 0 && len(p.Picks) < 10 {
			r.Pick = len(p.Picks) + 1
			p.Picks = append(p.Picks, r)
		}
		p.Rows = append(p.Rows, r)
		p.Scores.Add(r.Probability)
	}
	return p
}

func written(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPageShows: the page shows a hundred rows, each with its drawing and its nearest active, and is the same
// each time.
func TestPageShows(t *testing.T) {
	p := example("a", 130)
	html := written(t, p)
	if got := written(t, p); got != html {
		t.Error("the same ranking gives a different page")
	}
	if n := strings.Count(html, `<li class="card" id="r`); n != MaxRows {
		t.Errorf("%d rows are shown, want %d", n, MaxRows)
	}
	if n := strings.Count(html, `<li class="card">`); n != 10 {
		t.Errorf("%d picks are shown, want 10", n)
	}
	if n := strings.Count(html, "<use "); n != 2*110 {
		t.Errorf("%d drawings are shown, want two for each of 110 cards", n)
	}
	for _, name := range regexp.MustCompile(`<use href="#(m\d+)"`).FindAllStringSubmatch(html, -1) {
		if strings.Count(html, `<symbol id="`+name[1]+`"`) != 1 {
			t.Fatalf("drawing %s does not occur exactly once", name[1])
		}
	}
	for _, want := range []string{
		"130 molecules, ranked", "by 2 active and 1 inactive molecules of asupport.csv · 2 could not be read · 22 November 2026", "As good a", "left out a",
		"asemicolons", "The first 100", "outside the domain", "uncertainty 0.80", "Tanimoto 0.25", "first 100 candidates",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(html, "spread 0") || strings.Contains(html, "NaN") || strings.Contains(html, "ZgotmplZ") {
		t.Error("the page shows an unknown spread, or a value that html/template refused")
	}
}

// TestPageEscapes: text of users is never markup, in any place. The page contains no script, makes no request,
// and its policy forbids requests.
func TestPageEscapes(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>' onload='x' {{.}} </title></style></svg><!-- `
	p := example(evil, 20)
	p.Support[0].SMILES = `"><script>alert(3)</script>`
	p.Rows[3].SMILES = `"><script>alert(4)</script>`
	html := written(t, p)
	if strings.Contains(strings.ToLower(html), "<script") || strings.Contains(html, "<img") || strings.Contains(html, "<!-- ") {
		t.Error("text of a user became an element of the page")
	}
	if n := strings.Count(html, "</title></head>") + strings.Count(html, "</style>"); n != 1 {
		t.Errorf("the page's head ends in %d places", n)
	}
	for _, element := range regexp.MustCompile(`<[a-zA-Z][^>]*>`).FindAllString(html, -1) {
		outside := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(element, `""`)
		if strings.Contains(outside, " on") || strings.Contains(outside, "script") {
			t.Errorf("text of a user became an attribute: %s", element)
		}
	}
	for _, link := range regexp.MustCompile(`(?:href|src|url)\s*[=(]\s*["']?([^"')>\s]*)`).FindAllStringSubmatch(html, -1) {
		if !strings.HasPrefix(link[1], "#") && !strings.Contains(link[0], "src=x") {
			t.Errorf("the page requests %q", link[0])
		}
	}
	if !strings.Contains(html, "Content-Security-Policy") || !strings.Contains(html, "default-src &#39;none&#39;") && !strings.Contains(html, "default-src 'none'") {
		t.Error("the page has no policy that forbids requests")
	}
	if !strings.Contains(html, "too large to be drawn: &#34;&gt;&lt;script&gt;") {
		t.Error("a molecule that is not drawn is not shown by its SMILES")
	}
}

// TestPageHasAnEnd: with the largest drawings, molecules too large to be drawn, and very long names, the page
// stays below the documented size.
func TestPageHasAnEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	p := example("a", 130)
	for i := range p.Rows {
		// A drawing of 12 residues is about the largest.
		p.Rows[i].SMILES = strings.Repeat("C", 1+i/10) + strings.Repeat("NC(C)C(=O)", 5+i%10) + "O"
		p.Rows[i].Name = strings.Repeat("a name ", 1<<14)
	}
	p.Rows[1].SMILES, p.Rows[2].SMILES = strings.Repeat("NC(C)C(=O)", 50)+"O", strings.Repeat("NC(C)C(=O)", 300)+"O"
	for range 1000 {
		p.Read = append(p.Read, strings.Repeat("a file ", 1000))
		p.Support = append(p.Support, Molecule{SMILES: "CCC", Name: strings.Repeat("x", 10000)})
	}
	p.Sentence = strings.Repeat("as good ", 1<<16)
	if html := written(t, p); len(html) > 10<<20 || !strings.Contains(html, "Only a part of the support set is shown") {
		t.Errorf("%d bytes", len(html))
	}
}

// TestPageOfLittle: pages of rankings without rows, without fingerprints, and of one molecule.
func TestPageOfLittle(t *testing.T) {
	for rows := range 2 {
		p := example("a", rows)
		p.Support, p.Picks = p.Support[:2], nil
		for i := range p.Rows {
			p.Rows[i].Nearest, p.Rows[i].Facts = -1, nil
		}
		if rows == 0 {
			p.Scores = nil
		}
		html := written(t, p)
		if empty := strings.Contains(html, "No molecule was ranked"); empty != (rows == 0) || strings.Contains(html, "nearest active</small>") {
			t.Errorf("%d rows: the page reports that there are none: %t", rows, empty)
		}
	}
}

func TestPercent(t *testing.T) {
	for p, want := range map[float64]string{
		1: "100 %", 0.99951: "> 99.9 %", 0.9972: "99.7 %", 0.9949: "99 %", 0.883: "88 %",
		0.0995: "10 %", 0.0312: "3.1 %", 0.00123: "0.12 %", 0.0000123: "0.0012 %", 0: "0 %",
	} {
		if got := Percent(p); got != want {
			t.Errorf("%v: %s, want %s", p, got, want)
		}
	}
}
