package main

import (
	"math"
	"slices"
	"strings"
)

// notePatterns are seen in the weight of a note under a preference query. Each pattern decides alone between the
// weights of yes and those of no for a note at that path; any other weight shows no single pattern.
var notePatterns = map[string][]struct {
	path    string
	yes, no []float64
}{
	"PREFERENCE_NOTE_RE": {{globalNote, []float64{2.1, 2.1 * 0.9}, []float64{1, 0.9}}},
	"GENERIC_NOTE_RE":    {{wikiNote, []float64{0.82, 0.82 * 0.9}, []float64{1, 0.9}}},
	"ROLLUP_NOTE_RE": {
		{globalNote, []float64{0.9, 2.1 * 0.9}, []float64{1}},
		{wikiNote, []float64{0.9, 0.82 * 0.9}, []float64{1}},
	},
}

const (
	globalNote = "memory/global/qqx.md"
	wikiNote   = "wiki/qqx.md"
)

// intentMatches sees a pattern of queries in the intents of the trace, and a pattern of notes in the weight of a note.
func intentMatches(request struct {
	Pattern string `json:"pattern"`
	Text    string `json:"text"`
}) (object, error) {
	text := request.Text
	if loweringChanges(text) {
		return nil, unreachable("the SDK lowercases the text before it matches, which changes more than ASCII letters here")
	}
	var matches bool
	var err error
	switch request.Pattern {
	case "PREFERENCE_QUERY_RE":
		matches, err = detects(text, "preferenceQuery")
	case "ENUMERATION_OR_TOTAL_QUERY_RE":
		// Without the intent the pattern did not match; the intent itself has other causes too.
		if matches, err = detects(text, "concreteFactQuery"); matches {
			err = unreachable("the query is a concrete-fact query, which other patterns make of it too")
		}
	case "FIRST_PERSON_FACT_LOOKUP_RE":
		matches, err = completes(text+" watched", text+" noticed")
	case "FACT_LOOKUP_VERB_RE":
		matches, err = completes("did i "+text, "may i "+text)
	case "ATOMIC_EVENT_NOTE_RE", "DATE_TAG_RE":
		matches, err = marksFact(text, request.Pattern == "DATE_TAG_RE")
	default:
		matches, err = noteMatches(request.Pattern, text)
	}
	if err != nil {
		return nil, err
	}
	return object{"matches": matches}, nil
}

func detects(query, intent string) (bool, error) {
	answer, err := detectIntent(queryRequest{query})
	return answer[intent] == true, err
}

// completes is true if the query is a concrete-fact query, and the control is not. The two differ in the other half of
// the pair of patterns that makes the intent, and in nothing else that the intent depends on.
func completes(query, control string) (bool, error) {
	concrete, err := detects(query, "concreteFactQuery")
	if err != nil || !concrete {
		return false, err
	}
	if concrete, err = detects(control, "concreteFactQuery"); concrete {
		err = unreachable("the query is a concrete-fact query without the other pattern of the pair")
	}
	return true, err
}

func noteMatches(pattern, text string) (bool, error) {
	for _, row := range notePatterns[pattern] {
		factor, err := weight("recommend", note{Path: row.path, Content: text})
		switch {
		case err != nil:
			return false, err
		case slices.ContainsFunc(row.yes, near(factor)):
			return true, nil
		case slices.ContainsFunc(row.no, near(factor)):
			return false, nil
		}
	}
	return false, unreachable("the weight of the note is not that of this pattern alone")
}

// marksFact is true if the text raises the weight of a note under a concrete-fact query as a fact does. A date tag is
// what no longer raises it with its bracket changed; an event is what raises it in a text without a bracket.
func marksFact(text string, tag bool) (bool, error) {
	raised, err := raises(text)
	if err != nil || !raised {
		return false, err
	}
	if tag == strings.Contains(text, "[") {
		if !tag {
			return true, nil
		}
		if raised, err = raises(strings.ReplaceAll(text, "[", "(")); err != nil || !raised {
			return true, err
		}
	}
	return false, unreachable("the note counts as a fact, and the tag and the event both can make it one")
}

func raises(text string) (bool, error) {
	const fact = 2.2
	plain, err := weight("count", note{Path: wikiNote, Content: "qqx"})
	if err != nil {
		return false, err
	}
	factor, err := weight("count", note{Path: wikiNote, Content: text})
	switch {
	case err != nil:
		return false, err
	case near(factor)(fact * plain):
		return true, nil
	case near(factor)(plain):
		return false, nil
	}
	return false, unreachable("the weight of the note is not that of this pattern alone")
}

func near(a float64) func(float64) bool {
	return func(b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
}

func loweringChanges(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r > '\x7f' && strings.ToLower(string(r)) != string(r)
	})
}
