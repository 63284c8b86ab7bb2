package trust

// A Tally holds the counts of a [Library], which can be added to those of another one.
type Tally struct {
	Molecules int   `json:"molecules"`
	Known     int   `json:"known"`          // from training
	Past      int   `json:"past,omitempty"` // in past assays
	Outside   int   `json:"outside"`        // of the domain
	Nearest   []int `json:"nearest"`        // bin k counts molecules whose nearest support molecule is at k/1000
}

// Tally returns the counts so far.
func (l *Library) Tally() Tally {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Tally{l.molecules, l.fromBefore, l.inPast, l.outside, append([]int{}, l.nearest[:]...)}
}

// AddTally adds counts that were made elsewhere for the same support set and models.
func (l *Library) AddTally(t Tally) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.molecules, l.fromBefore, l.outside = l.molecules+t.Molecules, l.fromBefore+t.Known, l.outside+t.Outside
	l.inPast += t.Past
	for k, n := range t.Nearest[:min(len(t.Nearest), len(l.nearest))] {
		l.nearest[k] += n
	}
}
