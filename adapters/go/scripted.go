package main

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/jeffs-brain/memory/go/llm"
	"github.com/jeffs-brain/memory/go/retrieval"
	"github.com/jeffs-brain/memory/go/search"
)

// note is a chunk, a candidate or a result of the protocol. Ranks and scores that come
// with it are read and not passed on: the SDK makes its own.
type note struct {
	ID               string            `json:"id"`
	Path             string            `json:"path"`
	Title            string            `json:"title"`
	Summary          string            `json:"summary"`
	Content          string            `json:"content"`
	Tags             []string          `json:"tags,omitempty"`
	Metadata         map[string]string `json:"metadata,omitempty"`
	Similarity       float64           `json:"similarity,omitempty"`
	Score            float64           `json:"score,omitempty"`
	BM25Rank         *int              `json:"bm25Rank,omitempty"`
	VectorSimilarity float64           `json:"vectorSimilarity,omitempty"`
	RerankScore      float64           `json:"rerankScore,omitempty"`
}

// callLog holds the SDK's calls of the scripted parts, in order, and the first that they cannot answer.
type callLog struct {
	calls  []object
	beyond error
}

func (l *callLog) add(call object) { l.calls = append(l.calls, call) }

func (l *callLog) refuse(reason error) {
	if l.beyond == nil {
		l.beyond = reason
	}
}

// scriptedSource answers both legs from the request. The embedded interface is nil: it completes the type, whose
// method Chunks has an unexported type and is never called, since every Config sets TrigramChunks. A call of any
// other method that this type lacks is out of reach (see guarded).
type scriptedSource struct {
	retrieval.Source
	log    *callLog
	bm25   func(match string) ([]note, error)
	vector func() ([]note, error)
	rows   metadataRows
}

func (s scriptedSource) SearchBM25(
	_ context.Context, match string, limit int, filters retrieval.Filters,
) ([]retrieval.BM25Hit, error) {
	s.log.add(object{"to": "bm25", "match": match, "limit": limit})
	s.refuseNarrowed(filters)
	notes, err := s.bm25(match)
	hits := []retrieval.BM25Hit{}
	for _, n := range first(notes, limit) {
		hits = append(hits, retrieval.BM25Hit{ID: n.ID, Path: n.Path, Title: n.Title, Summary: n.Summary, Content: n.Content})
	}
	return hits, err
}

func (s scriptedSource) SearchVector(
	_ context.Context, _ []float32, limit int, filters retrieval.Filters,
) ([]retrieval.VectorHit, error) {
	s.log.add(object{"to": "vector", "limit": limit})
	s.refuseNarrowed(filters)
	notes, err := s.vector()
	hits := []retrieval.VectorHit{}
	for _, n := range first(notes, limit) {
		hits = append(hits, retrieval.VectorHit{
			ID: n.ID, Path: n.Path, Title: n.Title, Summary: n.Summary, Content: n.Content, Similarity: n.Similarity,
		})
	}
	return hits, err
}

// Lookup makes the source a retrieval.BodyLookupSource, the only way of metadata into a search.
func (s scriptedSource) Lookup(_ context.Context, paths []string) ([]search.IndexedRow, error) {
	return s.rows.of(paths), nil
}

// refuseNarrowed refuses every filter but the bounds that the SDK derives from the question date: the notes of a
// request are what the index finds, and they have no scope, project or session to be narrowed by.
func (s scriptedSource) refuseNarrowed(filters retrieval.Filters) {
	fields := reflect.ValueOf(filters)
	for i := range fields.NumField() {
		if name := fields.Type().Field(i).Name; !strings.HasPrefix(name, "Date") && !fields.Field(i).IsZero() {
			s.log.refuse(unreachable("the SDK narrows a search by %s, which the scripted index does not offer", name))
		}
	}
}

// scriptedEmbedder gives every text the same vector, empty if so scripted.
type scriptedEmbedder struct {
	llm.Embedder // nil, as in scriptedSource
	log          *callLog
	vector       []float32
	fails        bool
}

func (e scriptedEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	e.log.add(object{"to": "embed", "texts": slices.Clone(texts)})
	if e.fails {
		return nil, errors.New("scripted embedder failure")
	}
	vectors := make([][]float32, len(texts))
	for i := range vectors {
		vectors[i] = e.vector
	}
	return vectors, nil
}

func (e scriptedEmbedder) Dimensions() int { return len(e.vector) }
func (e scriptedEmbedder) Close() error    { return nil }

type ranking struct {
	Hits []struct {
		Index int     `json:"index"`
		Score float64 `json:"score"`
	} `json:"hits,omitempty"`
	Order string `json:"order,omitempty"`
	Fails bool   `json:"fails,omitempty"`
}

// scriptedReranker returns the chunks in the ranking's order. The SDK's reranker answers with
// chunks, so an index outside the head cannot be given, and the request is refused.
type scriptedReranker struct {
	retrieval.Reranker // nil, as in scriptedSource
	log                *callLog
	ranking            ranking
	given              int // chunks returned
	received           int // chunks received
}

func (r *scriptedReranker) Rerank(
	_ context.Context, query string, head []retrieval.RetrievedChunk,
) ([]retrieval.RetrievedChunk, error) {
	documents := make([]object, 0, len(head))
	for _, chunk := range head {
		documents = append(documents, object{"id": chunk.ChunkID})
	}
	r.log.add(object{"to": "rerank", "query": query, "documents": documents})
	if r.ranking.Fails {
		return nil, errors.New("scripted reranker failure")
	}
	answer := r.order(head)
	r.received, r.given = len(head), len(answer)
	return answer, nil
}

func (r *scriptedReranker) order(head []retrieval.RetrievedChunk) []retrieval.RetrievedChunk {
	answer := []retrieval.RetrievedChunk{}
	if r.ranking.Order == "reverse" {
		for i := range head {
			chunk := head[len(head)-1-i]
			chunk.RerankScore = float64(len(head) - i)
			answer = append(answer, chunk)
		}
		return answer
	}
	for _, hit := range r.ranking.Hits {
		if hit.Index < 0 || hit.Index >= len(head) {
			r.log.refuse(reach.outside)
			continue
		}
		chunk := head[hit.Index]
		chunk.RerankScore = hit.Score
		answer = append(answer, chunk)
	}
	return answer
}

// witness is a reranker that changes nothing. It sees the list as fused and weighted, before any later pass of the SDK.
type witness struct {
	retrieval.Reranker // nil, as in scriptedSource
	called             bool
	seen               []retrieval.RetrievedChunk
}

func (w *witness) Rerank(
	_ context.Context, _ string, head []retrieval.RetrievedChunk,
) ([]retrieval.RetrievedChunk, error) {
	w.called, w.seen = true, slices.Clone(head)
	return head, nil
}

// always is a script that ignores the match string.
func always(notes []note) func(string) ([]note, error) {
	return func(string) ([]note, error) { return notes, nil }
}

func first(notes []note, limit int) []note {
	return notes[:max(0, min(limit, len(notes)))]
}
