package label

import (
	"regexp"
	"slices"
	"strings"

	"pacia/internal/each"
)

// A nameInfo is what the name of a column of measurements states about its values.
type nameInfo struct {
	units   []unit   // each once; those of conditions such as "at 10 uM" are left out
	foreign []string // units of other quantities
	log     bool     // the values are logarithms
	usual   side     // where actives usually are
}

// A side is the side of a threshold on which actives are.
type side int8

const (
	either side = iota
	below
	above
)

// endpoints are the names, in lower case, of measurements that are small for actives.
var endpoints = []string{
	"ic50", "ec50", "ac50", "xc50", "gi50", "cc50", "tc50", "lc50", "ld50", "ed50", "td50", "id50", "mic50", "mic90", "ic90", "ec90", "ec80", "ic20", "dc50", "xi50",
	"ki", "kd", "kb", "ke", "mic", "mbc", "mec", "potency", "lec", "clint",
}

// Names of other measurements, by the side on which actives usually are.
var (
	largeValues = []string{"inhibition", "inh", "activation", "displacement", "efficacy", "emax", "imax", "stimulation", "killing", "binding", "occupancy", "activity", "response", "effect", "degradation", "dmax"}
	smallValues = []string{"dg", "δg", "energy", "docking", "viability", "survival", "remaining", "residual", "control", "growth"}
	noSide      = []string{"selectivity", "ratio", "index", "koff", "kon", "hill", "slope", "t1/2", "clearance", "solubility", "logp", "logd", "auc", "cmax", "papp", "permeability"}
)

var (
	between    = regexp.MustCompile(`[\s_,;:()\[\]{}|"'*=@]+`)
	negLog     = regexp.MustCompile(`^p(` + strings.Join(endpoints[:len(endpoints)-3], "|") + `|chembl|activity|act|affinity|potency|a2|d2)$`)
	condition  = regexp.MustCompile(`^[@<>~≈]?\d+([.,]\d+)?$`)
	attached   = regexp.MustCompile(`^[@<>~≈]?\d`)
	minusLog   = regexp.MustCompile(`(?i)(^|[^a-z])(-|−|neg(ative)?[ _]*)log`)
	plainLog   = regexp.MustCompile(`(?i)(^|[^a-z])log(10|_10)?([^a-z]|ic50|ec50|ki$|kd$)`)
	fused      = regexp.MustCompile(`^(.*\pL\d+)([pnuµμ][Mm]|mM)$`)
	scaled     = regexp.MustCompile(`^[x×]?(10\^?[-−–]\d+|10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+|1[eE][-−]\d+)$`)
	garbled    = regexp.MustCompile(`^[æ?\x{fffd}]+([mM]|mol/[lL]|g/m?[lL])$`) // µ that was decoded with a wrong encoding
	inBrackets = regexp.MustCompile(`[(\[{]\s*([^()\[\]{}]*?)\s*[)\]}]`)
)

// parseName reads the name of a column of measurements.
func parseName(name string) nameInfo {
	var n nameInfo
	tokens := tokensOf(name)
	bracketed := each.Pairs(inBrackets.FindAllStringSubmatch(name, -1), func(m []string) (string, bool) { return m[1], true })
	for i := 0; i < len(tokens); i++ {
		token := tokens[i]
		if i > 0 && condition.MatchString(tokens[i-1]) || attached.MatchString(token) && token != "10^-6cm/s" {
			continue // 10 uM, 10uM
		}
		if i+1 < len(tokens) && (strings.EqualFold(token, "per") && strings.EqualFold(tokens[i+1], "cent") || litreNext(token, tokens[i+1])) {
			token += tokens[i+1]
			i++
		}
		u, ok := parseUnit(token)
		switch {
		case ok && i > 0 && scaled.MatchString(tokens[i-1]): // 10^-6 M
			n.foreign = append(n.foreign, tokens[i-1]+" "+token)
		case ok && strings.EqualFold(token, "m") && !bracketed[token] && i < len(tokens)-1, token == "M" && len(tokens) == 1:
			// a letter, such as the name of a series
		case ok && !slices.ContainsFunc(n.units, u.same):
			n.units = append(n.units, u)
		case garbled.MatchString(token),
			!ok && foreign[strings.ToLower(token)] && (bracketed[token] || strings.EqualFold(token, "mm") || strings.Contains(token, "/")):
			n.foreign = append(n.foreign, token)
		}
	}
	n.ofLogarithms(name, tokens)
	n.usual = n.sideOf(tokens)
	return n
}

// tokensOf splits a name into words. Words such as IC50-nM, IC50/nM and IC50nM are split into a
// measurement and its unit.
func tokensOf(name string) (tokens []string) {
	words := between.Split(strings.TrimSpace(name), -1)
	for i := 0; i < len(words); i++ {
		word := words[i]
		if strings.Contains(word, "..") || strings.HasSuffix(word, ".") { // R writes IC50..nM. for IC50 (nM)
			parts := strings.FieldsFunc(word, func(r rune) bool { return r == '.' })
			words = slices.Replace(words, i, i+1, parts...)
			i--
			continue
		}
		if percent, found := strings.CutPrefix(word, "%"); found {
			tokens, word = append(tokens, "%"), percent
		}
		if _, ok := parseUnit(word); ok || foreign[strings.ToLower(word)] {
			tokens = append(tokens, word)
			continue
		}
		before, after := word, ""
		if m := fused.FindStringSubmatch(word); m != nil { // IC50nM
			before, after = m[1], m[2]
		}
		for _, sign := range []string{"/", "-", "–", "."} {
			if b, a, found := strings.Cut(word, sign); found && b != "" {
				if _, ok := parseUnit(a); ok && a != "" {
					before, after = b, a
					break
				}
			}
		}
		if percent, found := strings.CutSuffix(before, "%"); found && percent != "" && !attached.MatchString(before) {
			before, after = percent, "%"
		}
		tokens = append(tokens, before)
		if after != "" {
			tokens = append(tokens, after)
		}
	}
	return slices.DeleteFunc(tokens, func(t string) bool { return t == "" })
}

// litreNext reports whether two words form one unit, such as "umol L-1" or "ug mL-1".
func litreNext(token, next string) bool {
	_, ok := parseUnit(token)
	if _, both := parseUnit(token + next); ok || !both {
		return false
	}
	return strings.HasSuffix(next, "-1") || strings.HasSuffix(next, "⁻¹") || strings.HasPrefix(next, "/")
}

// ofLogarithms sets n.log if the values are logarithms, and n.usual to their side: above for negative
// logarithms such as pIC50, below for others.
func (n *nameInfo) ofLogarithms(name string, tokens []string) {
	for _, t := range tokens {
		if negLog.MatchString(strings.ToLower(t)) {
			n.log, n.usual = true, above
		}
	}
	switch {
	case minusLog.MatchString(name):
		n.log, n.usual = true, above
	case !n.log && plainLog.MatchString(name):
		n.log, n.usual = true, below
	}
}

// sideOf returns the side on which actives usually are.
func (n *nameInfo) sideOf(tokens []string) side {
	if n.usual != either {
		return n.usual
	}
	usual := either
	for _, t := range tokens {
		t = strings.ToLower(t)
		switch {
		case slices.Contains(noSide, t):
			return either
		case slices.Contains(smallValues, t):
			usual = below
		case slices.Contains(largeValues, t) && usual == either:
			usual = above
		case slices.Contains(endpoints, t):
			return below
		}
	}
	return usual
}

// typeIn returns the type of measurement that a cell or a name states, such as ic50 or pki, in
// lower case; empty if it is not a known one.
func typeIn(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	switch {
	case slices.Contains(endpoints, text), negLog.MatchString(text), slices.Contains(largeValues, text), slices.Contains(smallValues, text), slices.Contains(noSide, text):
		return text
	}
	if info := parseName(text); info.log && slices.ContainsFunc(wordsOf(text), isEndpoint) { // -Log IC50
		return text
	}
	return ""
}

func isEndpoint(word string) bool {
	return slices.Contains(endpoints, word) || slices.Contains(endpoints, strings.TrimPrefix(word, "log"))
}

// MeasurementName reports whether a column's name is one of measurements: it contains a type such as
// IC50, a unit, or a word such as value.
func MeasurementName(name string) bool {
	info := parseName(name)
	if info.log || info.usual != either || len(info.units)+len(info.foreign) > 0 {
		return true
	}
	return slices.ContainsFunc(wordsOf(name), func(w string) bool { return w == "value" || w == "values" || w == "result" || w == "results" })
}
