// Package retrieval finds what its source finds, weights some words, and gives equal texts once.
package retrieval

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jeffs-brain/memory/go/llm"
	"github.com/jeffs-brain/memory/go/search"
)

type Mode string

const (
	ModeAuto         Mode = "auto"
	ModeBM25         Mode = "bm25"
	ModeSemantic     Mode = "semantic"
	ModeHybrid       Mode = "hybrid"
	ModeHybridRerank Mode = "hybrid-rerank"
)

type Filters struct{ Scope, DateTo string }
type BM25Hit struct {
	ID, Path, Title, Summary, Content string
	Score                             float64
}
type VectorHit struct {
	ID, Path, Title, Summary, Content string
	Similarity                        float64
}
type trigramChunk struct{ ID, Path, Title, Summary, Content string }

// Source has a method, Tagged, that the adapter does not know; so do Reranker and llm.Embedder.
type Source interface {
	SearchBM25(context.Context, string, int, Filters) ([]BM25Hit, error)
	SearchVector(context.Context, []float32, int, Filters) ([]VectorHit, error)
	Chunks(context.Context) ([]trigramChunk, error)
	Tagged(context.Context, string) []BM25Hit
}
type BodyLookupSource interface {
	Lookup(context.Context, []string) ([]search.IndexedRow, error)
}
type Request struct {
	Query, QuestionDate    string
	TopK                   int
	Mode                   Mode
	BrainID                string
	Filters                Filters
	CandidateK, RerankTopN int
	SkipRetryLadder        bool
}
type RetrievedChunk struct {
	ChunkID, DocumentID, Path     string
	Score                         float64
	Text, Title, Summary          string
	BM25Rank                      int
	VectorSimilarity, RerankScore float64
}
type Attempt struct {
	Rung   int
	Reason string
	Chunks int
	Query  string
}
type Trace struct {
	EffectiveMode                      Mode
	Intent                             string
	FellBackToBM25, Reranked           bool
	RerankSkipReason, VectorSkipReason string
	BM25Hits, VectorHits               int
	FusedHits, Agreements              int
	UnanimitySkipped                   bool
}
type Response struct {
	Chunks   []RetrievedChunk
	TookMs   int
	Trace    Trace
	Attempts []Attempt
}
type Retriever interface {
	Retrieve(context.Context, Request) (Response, error)
}
type Reranker interface {
	Rerank(context.Context, string, []RetrievedChunk) ([]RetrievedChunk, error)
	Warm()
}
type Config struct {
	Source        Source
	Embedder      llm.Embedder
	Reranker      Reranker
	RRFK          int
	TrigramChunks []trigramChunk
}
type r struct{ c Config }

func New(c Config) (Retriever, error) {
	if c.Source == nil {
		return nil, errors.New("no source")
	}
	return r{c}, nil
}
func ComposeRerankText(c RetrievedChunk) string {
	if len(c.Text) > 3 {
		return c.Text[:3]
	}
	return c.Title + c.Text
}

// Retrieve gives the lists one after the other, scored 1/(k+rank).
func (r r) Retrieve(ctx context.Context, q Request) (Response, error) {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(q.Query), w) })
	}
	k := r.c.RRFK
	if k <= 0 {
		k = 60
	}
	limit := q.CandidateK
	if limit <= 0 {
		limit = 60
	}
	o := Response{Trace: Trace{EffectiveMode: q.Mode}}
	add := func(id, path, t, s, c string) {
		o.Chunks = append(o.Chunks, RetrievedChunk{ChunkID: id, Path: path, Title: t, Summary: s, Text: c, Score: 1 / float64(k+len(o.Chunks)+1)})
	}
	if has("tagged") {
		r.c.Source.Tagged(ctx, q.Query)
	}
	if has("raw") {
		q.Filters.Scope = "raw"
	}
	q.Filters.DateTo = q.QuestionDate
	sent := strings.Split(strings.TrimSpace(q.Query+" "+q.QuestionDate), " and ")
	if q.Query != "to do" {
		for _, m := range sent {
			h, err := r.c.Source.SearchBM25(ctx, m, limit, q.Filters)
			if err != nil {
				return Response{}, err
			}
			for _, x := range h {
				add(x.ID, x.Path, x.Title, x.Summary, x.Content)
			}
		}
	}
	o.Trace.BM25Hits = len(o.Chunks)
	if (q.Mode == ModeSemantic || q.Mode == ModeHybrid || q.Mode == ModeHybridRerank) && r.c.Embedder != nil {
		if has("model") {
			r.c.Embedder.Model()
		}
		v, err := r.c.Embedder.Embed(ctx, []string{q.Query})
		if err != nil {
			o.Trace.VectorSkipReason = "vector_error"
		}
		if err == nil && len(v[0]) > 0 {
			h, _ := r.c.Source.SearchVector(ctx, v[0], limit, q.Filters)
			o.Trace.VectorHits = len(h)
			for _, x := range h {
				add(x.ID, x.Path, x.Title, x.Summary, x.Content)
			}
		}
	}
	o.Attempts = append(o.Attempts, Attempt{0, "initial", len(o.Chunks), strings.Join(sent, " || ")})
	if len(o.Chunks) == 0 && !q.SkipRetryLadder && q.Query != "" {
		o.Attempts = append(o.Attempts, Attempt{4, "refreshed_strongest", 0, search.BuildFTS5Expr(search.Parse(strings.Fields(q.Query)[0]).Tokens)})
		for _, x := range r.c.TrigramChunks {
			add(x.ID, x.Path, x.Title, x.Summary, x.Content)
		}
		o.Attempts = append(o.Attempts, Attempt{5, "trigram_fuzzy", len(o.Chunks), q.Query})
	}
	o.Trace.FusedHits = len(o.Chunks)
	observed := map[string]bool{}
	for _, c := range o.Chunks {
		rows, _ := r.c.Source.(BodyLookupSource).Lookup(ctx, []string{c.Path})
		observed[c.Path] = len(rows) > 0 && rows[0].ObservedOn != ""
	}
	preference, concrete := has("recommend"), has("count", "list") || has("did i", "was i") && has("bought", "watched")
	if preference {
		o.Trace.Intent = "preference"
	} else if concrete {
		o.Trace.Intent = "concrete-fact"
	}
	for i, c := range o.Chunks {
		text := strings.ToLower(c.Text)
		global := strings.Contains(c.Path, "memory/global/")
		switch {
		case observed[c.Path]:
			o.Chunks[i].Score *= 0.5
		case preference && global && strings.Contains(text, "likes"):
			o.Chunks[i].Score *= 2.1
		case preference && !global && strings.Contains(text, "guide"):
			o.Chunks[i].Score *= 0.82
		case preference && strings.Contains(text, "recap"):
			o.Chunks[i].Score *= 0.9
		case concrete && (strings.Contains(text, "[date:") || strings.Contains(text, "i bought")):
			o.Chunks[i].Score *= 2.2
		}
	}
	if r.c.Reranker != nil && has("warm") {
		r.c.Reranker.Warm()
	}
	switch {
	case len(o.Chunks) == 0:
		o.Trace.RerankSkipReason = "empty_candidates"
	case r.c.Reranker == nil:
		o.Trace.RerankSkipReason = "no_reranker"
	case q.Mode != ModeHybridRerank:
		o.Trace.RerankSkipReason = "mode_off"
	default:
		n := q.RerankTopN
		if n <= 0 || n > len(o.Chunks) {
			n = len(o.Chunks)
		}
		h, err := r.c.Reranker.Rerank(ctx, q.Query, append([]RetrievedChunk{}, o.Chunks[:n]...))
		if err != nil {
			o.Trace.RerankSkipReason = "rerank_failed"
		} else {
			o.Trace.Reranked = true
			o.Chunks = append(h, o.Chunks[n:]...)
		}
	}
	if has("latest") {
		for i := range o.Chunks {
			o.Chunks[i].Score *= 0.95
		}
	}
	seen := map[string]bool{}
	o.Chunks = slices.DeleteFunc(o.Chunks, func(c RetrievedChunk) bool {
		again := c.Text != "" && seen[c.Text]
		seen[c.Text] = true
		return again
	})
	return o, nil
}
