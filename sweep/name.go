package sweep

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pacia/config"
)

// A run's name lists the settings that vary: layers=2,learning_rate=0.001,seed=0. So
// earlier runs of a sweep stay valid when values are added.

// maxName is the largest length of a name in bytes, well below the limit of file systems
// including extensions.
const maxName = 160

var unfit = regexp.MustCompile(`[^A-Za-z0-9._=+,-]+`)

// short returns the shortest suffix of a setting's name that is unique:
// relation.layers for model.relation.layers, episodes for train.episodes.
func short(name string) string {
	for at := strings.LastIndexByte(name, '.'); at >= 0; at = strings.LastIndexByte(name[:at], '.') {
		others := slices.ContainsFunc(config.Names(), func(s string) bool {
			return s != name && (s == name[at+1:] || strings.HasSuffix(s, name[at:]))
		})
		if !others {
			return name[at+1:]
		}
	}
	return name
}

func runName(point []assignment, name string, seed uint64) string {
	var parts []string
	if name != "" {
		parts = append(parts, name)
	} else {
		for _, a := range point {
			parts = append(parts, short(a.name)+"="+a.value)
		}
	}
	whole := strings.Join(append(parts, fmt.Sprintf("seed=%d", seed)), ",")
	fit := strings.TrimLeft(unfit.ReplaceAllString(whole, "_"), ".-")
	if len(fit) <= maxName {
		return fit
	}
	return fmt.Sprintf("%s,%x", fit[:maxName], sha256.Sum256([]byte(whole)))[:maxName+9]
}
