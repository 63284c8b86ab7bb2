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
	unclear []part   // what may be the unit of the values, if the name has no other
	log     bool     // the values are logarithms
	usual   side     // where actives usually are

	endpoint bool // it has the name of a measurement such as IC50
	vague    bool // in per cent, its words leave open whether large or small values are active
}

// A part of a name is a number with a unit, such as 1 nM in "IC50_1 nM", or a fragment of a unit, such as nmol.
type part struct {
	text string
	unit unit // of the number; no dimension for a fragment
}

// A side is the side of a threshold on which actives are.
type side int8

const (
	either side = iota
	below
	above
)

// endpoints are the names, in lower case, of measurements that are small for actives, beside those with a number,
// such as ic50.
var endpoints = []string{"ki", "kd", "kb", "ke", "mic", "mbc", "mec", "potency", "lec", "clint"}

// halves are the names with a number: concentrations and doses at which a share of the effect is reached.
const halves = `(?:(?:abs?|rel|app|q)?(?:[abcdefgilrstx]|tg|bm)c|[eiltd]d|gi|tgi|xi|i|mic|mbc)(?:[1-9][05]|9[59])`

// Names of other measurements, by the side on which actives usually are.
var (
	largeValues = []string{"inhibition", "inh", "activation", "displacement", "efficacy", "emax", "imax", "stimulation", "killing", "binding", "occupancy", "activity", "response", "effect", "degradation", "dmax"}
	smallValues = []string{"dg", "δg", "energy", "docking", "viability", "survival", "remaining", "residual", "control", "growth"}
	noSide      = []string{"selectivity", "ratio", "index", "koff", "kon", "hill", "slope", "t1/2", "clearance", "solubility", "logp", "logd", "auc", "cmax", "papp", "permeability"}
)

// certainShares are the names of percentages for which the side of actives is certain. The activity in per cent may be
// what is left beside an inhibitor, or what an activator adds.
var certainShares = []string{"inhibition", "inh", "activation", "displacement", "efficacy", "emax", "imax", "stimulation",
	"killing", "degradation", "dmax", "viability", "survival",
	"remaining", "residual"}

var (
	between    = regexp.MustCompile(`(?:[\s\p{Z}_,;:|"'*=@±]|\+/?-)+`)
	brackets   = regexp.MustCompile(`[()\[\]{}]+`)
	halfway    = regexp.MustCompile(`^` + halves + `$`)
	negLog     = regexp.MustCompile(`^p(` + halves + `|` + strings.Join(endpoints[:len(endpoints)-2], "|") + `|chembl|activity|act|affinity|a2|d2)$`)
	fusedMinus = regexp.MustCompile(`^(?:n|neg|minus)log(?:10)?(?:` + halves + `|` + strings.Join(endpoints, "|") + `)$`) // NLOGGI50
	fusedLog   = regexp.MustCompile(`^(?:fit)?(?:log|log10|lg|ln)(` + halves + `|` + strings.Join(endpoints, "|") + `)$`)
	condition  = regexp.MustCompile(`^[@<>~≈]?\d+([.,]\d+)?$`)
	attached   = regexp.MustCompile(`^[@<>~≈]?\d`)
	minusLog   = regexp.MustCompile(`(?i)(^|[^a-z])(-|−|(neg(ative)?|minus)[ _]*)(log|(ln|lg)([^a-z]|$))`)
	plainLog   = regexp.MustCompile(`(?i)(^|[^a-z])(log(10|_10)?|ln|lg)([^a-z]|$)`)
	fused      = regexp.MustCompile(`^(.*\pL\d+)([pnuµμ][Mm]|mM)$`)
	scaled     = regexp.MustCompile(`^[x×]?(10\^?[-−–]\d+|10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+|1[eE][-−]\d+)$`)
	garbled    = regexp.MustCompile(`^[æ?\x{fffd}]+([mM]|mol/[lL]|g/m?[lL])$`)                                      // µ that was decoded with a wrong encoding
	unread     = regexp.MustCompile(`^(?i:[pnuµμfm]mole?s?)$|^([pnuµμ]M|mM)[/^*·-]`)                                // nmol, nM/L
	amounts    = regexp.MustCompile(`^(?i:[pnuµμm]g|moles?)$`)                                                      // in brackets
	powered    = regexp.MustCompile(`^[x×]?(10\^?[-−–]\d+|10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+|1[eE][-−]\d+)[·.-]?(M|(?i:mol|mol/l))$`) // 10^-9M
	inBrackets = regexp.MustCompile(`[(\[{]\s*([^()\[\]{}]*?)\s*[)\]}]`)
)

// beforeConditions are words before a condition, as in "Ki at 10 uM ATP".
var beforeConditions = []string{"at", "with", "in", "of", "plus", "vs", "against", "for", "conc", "concentration", "dose"}

// parseName reads the name of a column of measurements.
func parseName(name string) nameInfo {
	var n nameInfo
	name = Plain(name)
	name = inBrackets.ReplaceAllStringFunc(name, func(text string) string { // (n M) is (nM)
		if inside := text[1 : len(text)-1]; IsUnit(inside) {
			return text[:1] + strings.Join(strings.Fields(inside), "") + text[len(text)-1:]
		}
		return text
	})
	tokens, apart := tokensOf(name)
	bracketed := each.Pairs(inBrackets.FindAllStringSubmatch(name, -1), func(m []string) (string, bool) { return m[1], true })
	for i := 0; i < len(tokens); i++ {
		token, before := tokens[i], ""
		if i > 0 && !apart[i] {
			before = tokens[i-1]
		}
		switch {
		case powered.MatchString(token):
			n.unclear = append(n.unclear, part{text: token})
			continue
		case attached.MatchString(token) && token != "10^-6cm/s": // 10uM
			continue
		case condition.MatchString(before) && (i < 2 || !strings.EqualFold(tokens[i-2], "n")):
			// 10 uM; but in "n=3, uM" the unit is that of the values
			u, ok := parseUnit(token)
			if ok && !strings.Contains(name, "@") && (i < 2 || !slices.Contains(beforeConditions, strings.ToLower(tokens[i-2]))) {
				n.unclear = append(n.unclear, part{before + " " + token, u})
			}
			continue
		case token == "M" && !bracketed[token] && (i < len(tokens)-1 || len(tokens) == 1) && !scaled.MatchString(before):
			continue // a letter, such as the name of a series
		}
		if i+1 < len(tokens) && (strings.EqualFold(token, "per") && strings.EqualFold(tokens[i+1], "cent") || litreNext(token,
			tokens[i+1]) || molarNext(token, tokens[i+1])) {
			token += tokens[i+1]
			i++
		}
		n.unit(token, before, bracketed[token])
	}
	n.ofLogarithms(name, tokens)
	n.usual = n.sideOf(tokens)
	n.endpoint = !n.log && slices.ContainsFunc(tokens, func(t string) bool { return isEndpoint(strings.ToLower(t)) })
	n.vague = !slices.ContainsFunc(tokens, func(t string) bool { return slices.Contains(certainShares, strings.ToLower(t)) })
	return n
}

// unit adds a token that is a unit, or a part of one. before is the token before it, and bracketed reports whether
// it stands alone in brackets.
func (n *nameInfo) unit(token, before string, bracketed bool) {
	u, ok := parseUnit(token)
	switch {
	case ok && scaled.MatchString(before): // 10^-6 M
		n.foreign = append(n.foreign, before+" "+token)
	case ok && !slices.ContainsFunc(n.units, u.same):
		n.units = append(n.units, u)
	case garbled.MatchString(token),
		!ok && foreign[strings.ToLower(token)] && (bracketed || strings.EqualFold(token, "mm") || strings.Contains(token, "/")):
		n.foreign = append(n.foreign, token)
	case !ok && (unread.MatchString(token) || bracketed && amounts.MatchString(token)):
		n.unclear = append(n.unclear, part{text: token})
	}
}

// tokensOf splits a name into words. apart has the index of each word before which a bracket opens or closes. The
// two words of an endpoint such as "IC 50" are joined.
func tokensOf(name string) (tokens []string, apart map[int]bool) {
	apart = map[int]bool{}
	add := func(word string) {
		for _, token := range measurementAndUnit(word) {
			last := len(tokens) - 1
			if last >= 0 && !apart[last+1] && digitsAt(token) == len(token) && isEndpointName(tokens[last]+token) {
				tokens[last] += token
				continue
			}
			tokens = append(tokens, token)
		}
	}
	for _, text := range brackets.Split(name, -1) {
		apart[len(tokens)] = true
		for _, word := range between.Split(text, -1) {
			if !strings.Contains(word, "..") && !strings.HasSuffix(word, ".") {
				add(word)
				continue
			}
			for k, group := range strings.Split(word, "..") { // R writes IC50..nM. for IC50 (nM)
				if k > 0 {
					apart[len(tokens)] = true
				}
				for _, part := range strings.Split(group, ".") {
					add(part)
				}
			}
		}
	}
	return tokens, apart
}

func isEndpointName(word string) bool {
	word = strings.ToLower(word)
	return isEndpoint(word) || negLog.MatchString(word)
}

// measurementAndUnit splits words such as IC50-nM, IC50/nM and IC50nM into a measurement and its unit.
func measurementAndUnit(word string) (tokens []string) {
	if percent, found := strings.CutPrefix(word, "%"); found {
		tokens, word = append(tokens, "%"), percent
	}
	if _, ok := parseUnit(word); word == "" || ok || foreign[strings.ToLower(word)] {
		return slices.DeleteFunc(append(tokens, word), func(t string) bool { return t == "" })
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
	return slices.DeleteFunc(append(tokens, before, after), func(t string) bool { return t == "" })
}

// litreNext reports whether two words form one unit, such as "umol L-1" or "ug mL-1".
func litreNext(token, next string) bool {
	_, ok := parseUnit(token)
	if _, both := parseUnit(token + next); ok || !both {
		return false
	}
	return strings.HasSuffix(next, "-1") || strings.HasSuffix(next, "⁻¹") || strings.HasPrefix(next, "/")
}

// prefixes are words and letters that state a part of a unit before a space, as in "micro M".
var prefixes = []string{"milli", "micro", "nano", "pico", "femto", "mc", "µ", "μ"}

// molarNext reports whether two words form one unit, such as "micro M" or "nano molar".
func molarNext(token, next string) bool {
	_, both := parseUnit(token + next)
	return both && slices.Contains(prefixes, strings.ToLower(token))
}

// ofLogarithms sets n.log if the values are logarithms, and n.usual to their side: above for negative
// logarithms such as pIC50, below for others.
func (n *nameInfo) ofLogarithms(name string, tokens []string) {
	for _, t := range tokens {
		switch t = strings.ToLower(t); {
		case negLog.MatchString(t), fusedMinus.MatchString(t):
			n.log, n.usual = true, above
		case fusedLog.MatchString(t) && !n.log:
			n.log, n.usual = true, below
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
		case isEndpoint(t):
			return below
		}
	}
	return usual
}
