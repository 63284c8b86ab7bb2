package request

import (
	"pacia/data/label"
	"pacia/data/table"
	"pacia/screen/ranking"
)

// A Request asks for a ranking: which molecules, how they are read, what is learnt and what the table has.
type Request struct {
	Support  []string `yaml:"support" file:"1" doc:"labelled molecules, a 'FILE': CSV, SMILES, SD, xlsx; repeated: several, read as one"`
	Library  []string `yaml:"library" flag:"candidates" only:"predict next" file:"100" doc:"molecules to rank, a 'FILE': CSV, SMILES, SD, xlsx; several with the flag or the name repeated"`
	Against  []string `yaml:"against" only:"predict score" file:"100" without:"prior potency shards" doc:"labelled molecules of an assay in which molecules should be inactive, a 'FILE' like that of --support, or FILE:COLUMN < VALUE UNIT; several with the flag repeated: ranks by selectivity"`
	Assays   []string `yaml:"against_assay" flag:"-: --against FILE:ASSAY has it" page:"-: an assay of the page is a tab with its own settings" doc:"the assay in a file of against, as COLUMN < VALUE UNIT; once for each file"`
	Past     `yaml:",inline"`
	PastRead []string `yaml:"history_reading" flag:"-: --history FILE:READING has it" needs:"history" page:"past" title:"How the files are read" empty:"found by their cells" doc:"how a file of history is read, as COLUMN; CONDITION; --option VALUE; once for all files, or once for each"`
	Before   string   `yaml:"before" only:"next" file:"1" needs:"batch" doc:"support 'FILE' of the round before: reports what changed"`
	Results  string   `yaml:"results" file:"1" flag:"-: the command writes tables" doc:"results.zip of an earlier ranking of the same files and fields"`
	Outcome  string   `yaml:"outcome" only:"predict next" form:"-: POST /v1/jobs/ID/outcome compares" doc:"labels that are known of the candidates, a 'FILE' or FILE:COLUMN: counts the actives among the first 20"`

	Reading         table.Options `yaml:",inline" page:"files"`
	SupportSMILES   string        `yaml:"support_smiles" only:"predict next" page:"support" title:"Column of the molecules" empty:"found by its cells" doc:"'NAME' of the column with the molecules in the support file, where it is another one than --smiles"`
	AsDrawn         bool          `yaml:"as_drawn" page:"drawing" title:"Read molecules as they are drawn, and not as parents of salts" doc:"the model sees molecules as drawn, not as the parents of salts"`
	LargestFragment bool          `yaml:"largest_fragment" only:"predict next" page:"drawing" title:"Only the largest fragment counts" doc:"only the largest fragment of a molecule counts"`
	OnInvalid       string        `yaml:"on_invalid" only:"predict next" form:"-: the answer lists them" oneof:"skip fail" doc:"'ACTION' on molecules that cannot be read: skip or fail"`

	Labels  label.Settings `yaml:",inline" page:"labels"`
	Rows    []string       `yaml:"rows" page:"-: a tab of the page is one assay" doc:"only rows that fulfil this 'CONDITION' on a column of the support file, such as \"Target Name = Kinase A\", count; repeated: each of them; FILE:… is for another file of labelled molecules"`
	Repeats string         `yaml:"repeats" page:"labels" title:"Repeated molecules" empty:"count once" oneof:"merge keep" doc:"'ACTION' on a molecule of several rows in the support file: merge them, or keep each (default merge, and a question if a column tells them apart)"`
	Potency string         `yaml:"potency" doc:"'NAME' of the column with measurements to learn as numbers: ranks by predicted potency"`

	Match   []string       `yaml:"match" only:"predict next" page:"ranking" title:"Only with (SMARTS)" empty:"any structure" doc:"only molecules with this substructure are ranked, a 'SMARTS'; repeated: with each of them"`
	Exclude []string       `yaml:"exclude" only:"predict next" page:"ranking" title:"Leave out with (SMARTS)" empty:"none" doc:"molecules with this substructure are left out, a 'SMARTS'; repeated: with any of them"`
	Columns []string       `yaml:"columns" only:"predict next" doc:"'COLUMNS' that are computed of each molecule, some of properties,alerts,scaffold; repeated: all of them"`
	Wanted  ranking.Wanted `yaml:",inline" page:"ranking"` // Check moves Match, Exclude and Columns into it

	Checkpoints []string `yaml:"checkpoint" form:"-: the server has one model" doc:"trained model, a 'FILE' such as best.ckpt (default the model that ships); repeated: the mean of several"`
	Method      string   `yaml:"method" form:"-: the server has one model" without:"checkpoint" doc:"'METHOD' in place of a model, which learns from the support file alone"`
	Refine      int      `yaml:"refine" only:"predict next" page:"-: the default keeps the actives" range:"0 inf" doc:"how 'MANY' of the first molecules are scored again with vectors of MiniMol, where the model compares them; 0: all (default two fifths, at least 2,000 and at most 10,000)"`
	Prior       string   `yaml:"prior" doc:"the 'SHARE' of actives expected among the candidates, such as 0.02 or 2% (default that of the support file)"`
	Reasons     int      `yaml:"reasons" only:"predict next" range:"1 1000" doc:"how 'MANY' of the first molecules are explained, in table and page: support molecules, atoms, training assays"`
	Batch       int      `yaml:"batch" only:"next" page:"ranking" title:"Molecules to measure next" empty:"none" range:"1 10000" doc:"how 'MANY' molecules can be measured"`
	Explore     float64  `yaml:"explore" only:"next" page:"ranking" title:"Explore, times the uncertainty" empty:"0" range:"0 1000" needs:"batch" doc:"'FACTOR' of the uncertainty, which is added to the log-odds: 0.3 to 3 explore"`
	Diverse     int      `yaml:"diverse" only:"predict" page:"ranking" title:"Diverse molecules to pick" empty:"none" range:"1 10000" without:"batch" doc:"how 'MANY' dissimilar molecules are picked among the best: column pick"`
	Group       string   `yaml:"group" only:"predict next" doc:"'COLUMN' by which rows are grouped, such as scaffold: columns group, group_size, group_hits and representative"`

	Top    int    `yaml:"top" only:"predict" page:"-: the table has pages" range:"1 inf" same:"yes" doc:"how 'MANY' of the first ranks are written (default all)"`
	Wait   bool   `yaml:"wait" flag:"-: the command waits" page:"-: the page shows progress" same:"yes" doc:"false: the answer is a job, and does not wait for the ranking"`
	Out    string `yaml:"out" only:"predict next" form:"-: the server writes no files" doc:"ranked molecules, a CSV 'FILE'"`
	Report string `yaml:"report" only:"predict" form:"-: GET /v1/jobs/ID/report.html" doc:"a page with the ranking to look at, an HTML 'FILE'"`
	BOM    bool   `yaml:"bom" only:"predict next" form:"-: tables are for programs" same:"yes" doc:"CSV files begin with a byte order mark, so that Excel reads them as UTF-8"`
	JSON   bool   `yaml:"json" only:"predict next" form:"-: answers are JSON" same:"yes" doc:"the report as one JSON object"`
	Shards `yaml:",inline"`

	share float64
}

// Past are the fields of past assays.
type Past struct {
	History   []string `yaml:"history" file:"100" doc:"past assays of the same collection, a 'FILE' with one or several; several files with the flag repeated: molecules are also compared by what was measured of them"`
	KeepAssay bool     `yaml:"keep_assay" page:"history" title:"Keep the assay that is ranked, where it is among them" doc:"the assay itself counts too where it is among the past ones, and is not left out"`
	Specific  bool     `yaml:"specific" page:"history" title:"Leave out how often a molecule was active at all" doc:"how often a molecule was active in past assays does not count: for selective molecules"`
}

// Shards are the fields of a ranking in parts.
type Shards struct {
	Parts   int      `yaml:"shards" only:"predict" form:"-: the server ranks in one process" range:"1 1000" same:"yes" doc:"rank the library in so 'MANY' parts, each by a process of its own, and put them together"`
	Engine  string   `yaml:"engine" only:"predict" form:"-: the server ranks in one process" oneof:"local slurm" needs:"shards" same:"yes" doc:"where the parts of --shards run: local, side by side on this machine, or slurm, as a job array"`
	SBatch  []string `yaml:"sbatch" only:"predict" form:"-: the server ranks in one process" needs:"shards" same:"yes" doc:"with --engine slurm: an 'OPTION' of sbatch, such as --mem=4G; several with the flag repeated"`
	Part    int      `yaml:"part" only:"predict" form:"-: of the process of a part" needs:"shards" same:"yes" doc:"rank this part alone"`
	Workers int      `yaml:"workers" only:"predict" form:"-: of the process of a part" same:"yes" doc:"threads that score"`
}

// Usual as Refine stands for two fifths of the ranked molecules.
const Usual = -1

// New returns a request with the defaults of a command.
func New() Request {
	r := Request{OnInvalid: "skip", Refine: Usual, Shards: Shards{Engine: "local", Part: -1}}
	r.Labels.SingleColumn = true
	return r
}

// Ranking returns the options by which files are read.
func (r *Request) Ranking() ranking.Options {
	o := ranking.Options{Options: r.Reading, Repeats: r.Repeats, Decimal: r.Labels.Decimal}
	o.Standard.Largest, o.Standard.Drawn = r.LargestFragment, r.AsDrawn
	o.Elsewhere = true // the named column may be missing in one of the files
	return o
}

// SupportOptions returns the options by which labelled molecules are read. same: the file is that of the support set.
func (r *Request) SupportOptions(same bool) ranking.Options {
	o := r.Ranking()
	if r.SupportSMILES != "" {
		o.SMILES, o.Elsewhere = r.SupportSMILES, !same
	}
	return o
}

// Assay returns the settings by which another assay is read, and the column of its own, or "". text is as [ranking.Reading]
// has it; without text, the assay is read like the support set. same: it is in the same file.
func (r *Request) Assay(text string, same bool) (s label.Settings, column string, err error) {
	s = r.Labels
	s.Rows = ""
	if text == "" {
		return s, "", nil
	}
	if s, err = ranking.Reading(text, s, same); s.Columns != r.Labels.Columns {
		column = s.Columns
	}
	return s, column, err
}
