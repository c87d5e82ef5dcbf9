package main

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/jeffs-brain/memory/go/query"
	"github.com/jeffs-brain/memory/go/search"
)

type queryRequest struct {
	Query string `json:"query"`
}

type token struct {
	Kind     string `json:"kind"`
	Text     string `json:"text"`
	Operator string `json:"operator,omitempty"`
}

type ast struct {
	Raw          string  `json:"raw"`
	Tokens       []token `json:"tokens"`
	HasOperators bool    `json:"hasOperators"`
}

var tokenKinds = map[string]search.TokenKind{
	search.TokTerm.String():   search.TokTerm,
	search.TokPhrase.String(): search.TokPhrase,
	search.TokPrefix.String(): search.TokPrefix,
}

func normalise(request queryRequest) (object, error) {
	return object{"text": search.Parse(request.Query).Raw}, nil
}

func parse(request queryRequest) (object, error) {
	return object{"ast": fromSDK(search.Parse(request.Query)).wire()}, nil
}

// expandAliases reaches expansion through the parser, the only place where the SDK expands: it can
// answer for an AST that is what the SDK itself parses from that AST's raw text.
func expandAliases(request struct {
	AST     ast                 `json:"ast"`
	Aliases map[string][]string `json:"aliases"`
}) (object, error) {
	plain := fromSDK(search.Parse(request.AST.Raw))
	given := request.AST
	if plain.Raw != given.Raw || plain.HasOperators != given.HasOperators || !slices.Equal(plain.Tokens, given.Tokens) {
		return nil, unreachable("aliases are expanded inside the parser, and parsing this AST's raw text does not give its tokens")
	}
	defer useAliases(request.Aliases)()
	return object{"ast": fromSDK(search.Parse(given.Raw)).wire()}, nil
}

func compile(request struct {
	AST ast `json:"ast"`
}) (object, error) {
	tokens := make([]search.Token, 0, len(request.AST.Tokens))
	for _, given := range request.AST.Tokens {
		kind, known := tokenKinds[given.Kind]
		if !known {
			return nil, malformed{"no such token kind: " + given.Kind}
		}
		tokens = append(tokens, search.Token{Kind: kind, Text: given.Text, Operator: given.Operator})
	}
	return object{"match": search.BuildFTS5Expr(tokens)}, nil
}

func pipeline(request struct {
	Query   string              `json:"query"`
	Aliases map[string][]string `json:"aliases,omitempty"`
}) (object, error) {
	defer useAliases(request.Aliases)()
	parsed := search.Parse(request.Query)
	return object{"ast": fromSDK(parsed).wire(), "match": search.BuildFTS5Expr(parsed.Tokens)}, nil
}

// expandedYear is the year of a date in ECMAScript's format of six digits.
var expandedYear = regexp.MustCompile(`^[+-]\d{6}\b`)

// unwritable is true of a date in a year before 0 or after 9999, which no date hint can hold.
func unwritable(value string) bool {
	year, err := strconv.Atoi(expandedYear.FindString(value))
	return err == nil && (year < 0 || year > 9999)
}

// parseDate sees through the expander whether a date was understood; of one that was, only the day.
func parseDate(request struct {
	Value string `json:"value"`
}) (object, error) {
	switch {
	case query.ExpandTemporal("0 days ago", request.Value).Resolved:
		return nil, unreachable("of a date that the SDK understood it shows the day, never the instant")
	case unwritable(request.Value):
		return nil, unreachable("no date hint holds a year before 0 or after 9999, so a date in one that the SDK understood shows none")
	}
	return object{"instant": nil}, nil
}

// expandTemporal gives "" for an absent date: the SDK takes a plain string.
func expandTemporal(request struct {
	Question     string `json:"question"`
	QuestionDate string `json:"questionDate,omitempty"`
}) (object, error) {
	expansion := query.ExpandTemporal(request.Question, request.QuestionDate)
	return object{
		"originalQuery": expansion.OriginalQuery,
		"expandedQuery": expansion.ExpandedQuery,
		"dateHints":     append([]string{}, expansion.DateHints...),
		"resolved":      expansion.Resolved,
	}, nil
}

// useAliases sets the SDK's global alias map; the function it returns clears it again.
func useAliases(aliases map[string][]string) (reset func()) {
	if aliases != nil {
		search.SetAliasMap(search.AliasMapFromEntries(aliases))
	}
	return func() { search.SetAliasMap(nil) }
}

// fromSDK is the SDK's AST in the protocol's words.
func fromSDK(parsed search.AST) ast {
	tokens := make([]token, 0, len(parsed.Tokens))
	for _, each := range parsed.Tokens {
		tokens = append(tokens, token{Kind: each.Kind.String(), Text: each.Text, Operator: each.Operator})
	}
	return ast{Raw: parsed.Raw, Tokens: tokens, HasOperators: parsed.HasOperators}
}

func (a ast) wire() object {
	tokens := make([]object, 0, len(a.Tokens))
	for _, each := range a.Tokens {
		wired := object{"kind": each.Kind, "text": each.Text}
		if each.Operator != "" {
			wired["operator"] = each.Operator
		}
		tokens = append(tokens, wired)
	}
	return object{"raw": a.Raw, "tokens": tokens, "hasOperators": a.HasOperators}
}
