package metrics

import "math"

// Figures holds the figures of one task.
type Figures struct {
	Task   string `json:"task"`
	Values `json:"auc" further:"*"`
	Draws  int `json:"draws,omitempty"` // number of support sets; the figures are means over these

	Adaptivity *Adaptivity `json:"adaptivity,omitempty"` // nil if not measured
}

// MarshalJSON encodes each metric as a member.
func (f Figures) MarshalJSON() ([]byte, error) { return MarshalMembers(f) }

// UnmarshalJSON decodes the members.
func (f *Figures) UnmarshalJSON(text []byte) error { return UnmarshalMembers(text, f) }

// Mean returns the means over tasks.
func Mean(tasks []Figures) Values {
	var sum Values
	for _, t := range tasks {
		sum = sum.Plus(1, t.Values)
	}
	return sum.Over(float64(len(tasks)))
}

// StandardError returns the standard errors, over the tasks, of [Mean]. They are 0 for one task.
func StandardError(tasks []Figures) Values {
	n, mean := float64(len(tasks)), Mean(tasks)
	errors := make(Values, len(mean))
	for i := range errors {
		squares := 0.0
		for _, t := range tasks {
			d := t.at(i) - mean[i]
			squares += d * d
		}
		if n >= 2 {
			errors[i] = math.Sqrt(squares / (n - 1) / n)
		}
	}
	return errors
}
