package trust

import "math"

// Legend: n₀ inactive and n₁ active molecules, N = n₀ + n₁.

// paired returns the difference of the ROC-AUC of scores a and of scores b on the same
// molecules, and its standard error σ: DeLong, DeLong and Clarke-Pearson,
// Biometrics 44 (1988) 837, equations 5 to 8. With few molecules σ may be 0, so its lower bound is
// half the standard deviation of one ROC-AUC by chance, √((N+1)/12n₀n₁).
func paired(labels []uint8, a, b []float64) (difference, sigma float64) {
	var of [2][]int
	for i, label := range labels {
		of[label] = append(of[label], i)
	}
	n0, n1 := float64(len(of[0])), float64(len(of[1]))
	placed := [2][]float64{make([]float64, len(of[0])), make([]float64, len(of[1]))} // means over the other class
	for k, i := range of[1] {
		for l, j := range of[0] {
			d := above(a[i], a[j]) - above(b[i], b[j])
			placed[1][k] += d / n0
			placed[0][l] += d / n1
			difference += d / (n0 * n1)
		}
	}
	variance := 0.0
	for class := range placed {
		n, squares := float64(len(placed[class])), 0.0
		for _, v := range placed[class] {
			squares += (v - difference) * (v - difference)
		}
		if n > 1 {
			variance += squares / (n - 1) / n
		}
	}
	return difference, math.Max(math.Sqrt(variance), chance(labels)/2)
}

// chance returns the standard deviation of the ROC-AUC of random scores.
func chance(labels []uint8) float64 {
	var of [2]float64
	for _, label := range labels {
		of[label]++
	}
	return math.Sqrt((of[0] + of[1] + 1) / (12 * of[0] * of[1]))
}

// above returns 1 if an active molecule's score is above an inactive one's, ½ for a tie, and 0 otherwise.
func above(active, inactive float64) float64 {
	switch {
	case active > inactive:
		return 1
	case active == inactive:
		return 0.5
	}
	return 0
}
