package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data/source/fsmol/targets"
	"pacia/metrics"
	"pacia/run/rundir"
)

// onBenchmark writes a run of a method on FS-Mol. Its ΔAUPRC on a task depends on the number of the task, plus
// 0.2 and more.
func onBenchmark(t *testing.T, dir, method string, more float64, settings ...string) {
	t.Helper()
	fake(t, dir, 0, append([]string{"dataset=mine", "data.split=auto", "tasks=157", "train.metric=delta_auprc", "model.encoder=fingerprint",
		"episode.test_support=16", "train.test_every=last", "model.method=" + method}, settings...)...)
	assays := testAssays(t)
	change(t, dir, func(s *rundir.Summary) {
		mean := 0.0
		for i := range s.PerTask {
			v := 0.2 + more + 0.001*float64(i%40)
			s.PerTask[i].Task, s.PerTask[i].ValidationSelected, mean = assays[i], metrics.Values{v + 0.5, v}, mean+v/157
		}
		s.ValidationSelected = metrics.Values{mean + 0.5, mean}
	})
}

// testAssays returns 157 assays of FS-Mol.
func testAssays(t *testing.T) (all []string) {
	t.Helper()
	table, err := os.ReadFile(targetsFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(table), "\n")[1:158] {
		name, _, _ := strings.Cut(line, "\t")
		all = append(all, name)
	}
	return all
}

var targetsFile, _ = filepath.Abs("../data/source/fsmol/targets/targets.tsv")

// TestPublishedBeside: the table has methods beside the paper's figures, in the order of their own figures, and
// marks figures of other networks. A point lists each pair whose order differs significantly from the
// paper's. FS-Mol is recognised by its tasks.
func TestPublishedBeside(t *testing.T) {
	t.Chdir(t.TempDir())
	onBenchmark(t, "siamese", "siamese", 0.02)
	onBenchmark(t, "iterref", "iterref", 0.01)
	onBenchmark(t, "egnn", "egnn", -0.1, "model.encoder=pna")
	onBenchmark(t, "adkf", "adkf", 0.01) // the figures of iterref: neither ahead nor behind
	onBenchmark(t, "forest", "forest", 0.05)
	onBenchmark(t, "pacia", "pacia", 0.03)
	markdown, page, rows := written(t, "published.csv", "siamese", "iterref", "egnn", "adkf", "forest", "pacia")
	_, rest, _ := strings.Cut(markdown, "### Beside the paper's figures, test ΔAUPRC\n")
	table, _, _ := strings.Cut(rest, "###")
	var lines []string
	for _, line := range strings.Split(table, "\n") {
		if cells := strings.Split(line, " | "); len(cells) == 7 {
			lines = append(lines, strings.Join(append(cells[:1:1], cells[2:]...), "|")) // the interval is left out
		}
	}
	want := []string{
		"| configuration|published|rank here|rank published|published network|source |",
		"| PACIA|PACIA 23.6 ± 0.8|1|1|another: PNA; here fingerprint|Table 2 (tab:fsmol) |",
		"| Siamese|Siamese 22.3 ± 1.0|2|4|another: fingerprints and descriptors without a graph, as in Schimunek et al. (2023); here fingerprint|Table 2 (tab:fsmol) |",
		"| IterRefLSTM|IterRefLSTM 23.4 ± 1.0|3|2|another: fingerprints and descriptors without a graph, as in Schimunek et al. (2023); here fingerprint|Table 2 (tab:fsmol) |",
		"| ADKF-IFT|ADKF-IFT 23.4 ± 0.9|3|2|another: PNA beside fingerprints, the default of its code; here fingerprint|Table 2 (tab:fsmol) |",
		"| EGNN|EGNN 21.2 ± 1.1|5|5|PNA|Table 2 (tab:fsmol) |",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("rows\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	// One of the 10 pairs, iterref and adkf, does not differ and is not counted.
	for _, want := range []string{
		"Of 9 pairs of two methods, 9 differ significantly here (p by Holm below 0.05), 2 of them in the other order than in the paper.\n\n- ",
		"- Siamese is ahead of IterRefLSTM by 1.00 (p by Holm ", "), and behind it in the paper: 22.3 ± 1.0 and 23.4 ± 1.0, which is within the deviations given there.\n",
		"- Siamese is ahead of ADKF-IFT by 1.00 ",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("report.md lacks %q:\n%s", want, table)
		}
	}
	if strings.Count(table, " is ahead of ") != 2 || !strings.Contains(page, "<li>Siamese is ahead of IterRefLSTM by 1.00") {
		t.Errorf("sentences:\n%s", table)
	}
	// The first table's cells for each method: a forest has no figure in the paper.
	var cells []string
	first, _, _ := strings.Cut(markdown, "###")
	for _, line := range strings.Split(first, "\n") {
		if cut := strings.Split(line, " | "); len(cut) == 7 {
			cells = append(cells, cut[5])
		}
	}
	if want := []string{"published", belowPublished, belowPublished, belowPublished, belowPublished, none, belowPublished}; !slices.Equal(cells, want) {
		t.Errorf("published are %q, want %q", cells, want)
	}
	tex, err := os.ReadFile("out/published.tex")
	if err != nil || !strings.Contains(string(tex), "Siamese 22.3~$\\pm$~1.0 & 2 & 4 & another: fingerprints and") {
		t.Errorf("published.tex (%v):\n%s", err, tex)
	}
	all, kinases := 0, false
	for _, row := range rows[1:] {
		if row[4] == "all" {
			all++
		}
		kinases = kinases || row[3] == "EGNN" && row[4] == targets.Kinases && row[7] == "22.4" && row[8] == "1" && row[11] == "true" && row[12] == "Table 2 (tab:fsmol)"
	}
	if all != 5 || !kinases {
		t.Errorf("published.csv has %d figures of all tasks, kinases of EGNN %v: %q", all, kinases, rows)
	}
}

// TestPublishedOfFewTasks: with three test tasks no order is compared. With PACIA as the only method there is no
// table, because the first table has its figure.
func TestPublishedOfFewTasks(t *testing.T) {
	t.Chdir(t.TempDir())
	fake(t, "pacia", 0)
	fake(t, "par", 0, "model.method=par")
	markdown, _, _ := written(t, "published.csv", "pacia", "par")
	for _, want := range []string{
		"| PACIA | 80.00 [80.00, 80.00] | PACIA 84.25 ± 0.31 | 1 | 1 | GIN | Table 1 (tab:results) |",
		"“Here” is of the model chosen on validation tasks; the published figures are of the best of all evaluations on the test tasks.",
		"The order is not compared with the paper's: with fewer than 6 test tasks",
	} {
		if !strings.Contains(markdown, want) {
			t.Errorf("report.md lacks %q:\n%s", want, markdown)
		}
	}
	if markdown, _, rows := written(t, "published.csv", "pacia"); strings.Contains(markdown, "Beside the paper") || len(rows) != 1 {
		t.Errorf("PACIA alone: %q\n%s", rows, markdown)
	}
}
