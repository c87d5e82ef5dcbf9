// Package retrieval finds what its source finds, weights two words, and gives equal texts once.
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

type Filters struct{}
type BM25Hit struct {
	ID, Path, Title, Summary, Content string
	Score                             float64
}
type VectorHit struct {
	ID, Path, Title, Summary, Content string
	Similarity                        float64
}
type trigramChunk struct{ ID, Path, Title, Summary, Content string }
type Source interface {
	SearchBM25(context.Context, string, int, Filters) ([]BM25Hit, error)
	SearchVector(context.Context, []float32, int, Filters) ([]VectorHit, error)
	Chunks(context.Context) ([]trigramChunk, error)
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
	EffectiveMode            Mode
	Intent                   string
	FellBackToBM25, Reranked bool
	RerankSkipReason         string
	BM25Hits, VectorHits     int
	FusedHits, Agreements    int
	UnanimitySkipped         bool
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
	if q.Query != "to do" {
		h, err := r.c.Source.SearchBM25(ctx, q.Query, limit, q.Filters)
		if err != nil {
			return Response{}, err
		}
		for _, x := range h {
			add(x.ID, x.Path, x.Title, x.Summary, x.Content)
		}
	}
	o.Trace.BM25Hits = len(o.Chunks)
	if q.Mode == ModeSemantic || q.Mode == ModeHybrid {
		if r.c.Embedder != nil {
			v, err := r.c.Embedder.Embed(ctx, []string{q.Query})
			if err == nil && len(v[0]) > 0 {
				h, _ := r.c.Source.SearchVector(ctx, v[0], limit, q.Filters)
				o.Trace.VectorHits = len(h)
				for _, x := range h {
					add(x.ID, x.Path, x.Title, x.Summary, x.Content)
				}
			}
		}
	}
	o.Attempts = append(o.Attempts, Attempt{0, "initial", len(o.Chunks), q.Query})
	if len(o.Chunks) == 0 && !q.SkipRetryLadder && q.Query != "" {
		o.Attempts = append(o.Attempts, Attempt{4, "refreshed_strongest", 0, strings.Fields(q.Query)[0]})
		for _, x := range r.c.TrigramChunks {
			add(x.ID, x.Path, x.Title, x.Summary, x.Content)
		}
		o.Attempts = append(o.Attempts, Attempt{5, "trigram_fuzzy", len(o.Chunks), q.Query})
	}
	o.Trace.FusedHits = len(o.Chunks)
	if q.Mode == ModeHybridRerank && r.c.Reranker != nil && len(o.Chunks) > 0 {
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
	if strings.Contains(q.Query, "recommend") {
		o.Trace.Intent = "preference"
		for i := range o.Chunks {
			if o.Chunks[i].ChunkID == "observed" {
				o.Chunks[i].Score *= 0.82
			}
		}
	}
	if strings.Contains(q.Query, "latest") {
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

type IndexSource struct{ i *search.Index }
type IndexSourceOptions struct{}

func NewIndexSource(i *search.Index, _ IndexSourceOptions) (*IndexSource, error) {
	return &IndexSource{i}, nil
}
func (s *IndexSource) SearchBM25(ctx context.Context, m string, k int, _ Filters) ([]BM25Hit, error) {
	rows, _ := s.i.LookupRows(ctx, []string{"wiki/" + m + ".md"})
	var o []BM25Hit
	for _, r := range rows {
		o = append(o, BM25Hit{ID: r.Path, Path: r.Path, Title: r.Title, Summary: r.Summary, Content: r.Content})
	}
	return o, nil
}
func (s *IndexSource) SearchVector(context.Context, []float32, int, Filters) ([]VectorHit, error) {
	return nil, nil
}
func (s *IndexSource) Chunks(context.Context) ([]trigramChunk, error) { return nil, nil }
