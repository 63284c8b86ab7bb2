package metrics_test

import (
	"math"
	"testing"

	"pacia/harness/golden"
	"pacia/metrics"
)

// TestAgreesWithScikitLearn compares with scikit-learn for the same labels and scores,
// including ties. All sums have at most 500 terms near 1, so 1e-12 is far above rounding
// and far below any error of definition.
func TestAgreesWithScikitLearn(t *testing.T) {
	var fixture struct {
		Metrics []struct {
			Labels    []int     `json:"labels"`
			Scores    []float64 `json:"scores"`
			Average   float64   `json:"average_precision"`
			ROC       float64   `json:"roc_auc"`
			Accuracy  float64   `json:"acc"`
			Balanced  float64   `json:"balanced_acc"`
			Precision float64   `json:"precision"`
			Recall    float64   `json:"recall"`
			F1        float64   `json:"f1_score"`
		} `json:"metrics"`
	}
	golden.Decode(t, golden.Fixture(t, "sklearn_reference.json.gz"), &fixture)
	if len(fixture.Metrics) == 0 {
		t.Fatal("the fixture has no entries")
	}
	for i, m := range fixture.Metrics {
		labels := make([]uint8, len(m.Labels))
		actives := 0
		for j, l := range m.Labels {
			labels[j] = uint8(l)
			actives += l
		}
		c := metrics.Classify(labels, m.Scores)
		for _, f := range []struct {
			name      string
			got, want float64
		}{
			{"average precision", metrics.AveragePrecision(labels, m.Scores), m.Average},
			{"ROC-AUC", metrics.ROCAUC(labels, m.Scores), m.ROC},
			{"accuracy", c.Accuracy, m.Accuracy},
			{"balanced accuracy", c.BalancedAccuracy, m.Balanced},
			{"precision", c.Precision, m.Precision},
			{"recall", c.Recall, m.Recall},
			{"F1", c.F1, m.F1},
			{"ΔAUPRC", metrics.DeltaAUPRC(labels, m.Scores), m.Average - float64(actives)/float64(len(labels))},
		} {
			if !(math.Abs(f.got-f.want) <= 1e-12) {
				t.Errorf("entry %d, %d molecules: %s %.15g, scikit-learn %.15g", i, len(labels), f.name, f.got, f.want)
			}
		}
	}
}
