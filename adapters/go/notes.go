package main

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"

	"github.com/jeffs-brain/memory/go/brain"
	"github.com/jeffs-brain/memory/go/retrieval"
	"github.com/jeffs-brain/memory/go/search"
	"github.com/jeffs-brain/memory/go/store/mem"
)

// ownIndex is the SDK's own SQLite index over notes in the SDK's in-memory store.
type ownIndex struct {
	*search.Index
	db     *sql.DB
	folder string
}

func (i ownIndex) close() {
	if i.db != nil {
		search.CloseDB(i.db)
	}
	os.RemoveAll(i.folder)
}

// openIndex indexes files (path to text) in a database of its own, removed by close.
func openIndex(files map[string]string) (ownIndex, error) {
	folder, err := os.MkdirTemp("", "parity-go-")
	if err != nil {
		return ownIndex{}, err
	}
	opened := ownIndex{folder: folder}
	if err := opened.fill(files); err != nil {
		opened.close()
		return ownIndex{}, err
	}
	return opened, nil
}

func (i *ownIndex) fill(files map[string]string) (err error) {
	if i.db, err = search.OpenDB(filepath.Join(i.folder, "index.db")); err != nil {
		return err
	}
	store := mem.New()
	for path, text := range files {
		if err := store.Write(context.Background(), brain.Path(path), []byte(text)); err != nil {
			return unreachable("the SDK's store refuses the path %q: %v", path, err)
		}
	}
	if i.Index, err = search.NewIndex(i.db, store); err != nil {
		return err
	}
	return i.Rebuild(context.Background())
}

// renamed maps the ids of a real index, which are paths, back to the request's ids. nil changes nothing.
type renamed map[string]string

func (r renamed) of(id string) string {
	if given, known := r[id]; known {
		return given
	}
	return id
}

func (r renamed) inCalls(calls []object) []object {
	for _, call := range calls {
		documents, _ := call["documents"].([]object)
		for _, document := range documents {
			document["id"] = r.of(document["id"].(string))
		}
	}
	return append([]object{}, calls...)
}

// script gives the vector hits the ids that the real index has for them.
func (r renamed) script(vector *vectorSpec) func() ([]note, error) {
	return func() ([]note, error) {
		notes, err := vector.answer()
		renamedNotes := make([]note, 0, len(notes))
		for _, n := range notes {
			if r[n.Path] == n.ID {
				n.ID = n.Path
			}
			renamedNotes = append(renamedNotes, n)
		}
		return renamedNotes, err
	}
}

// indexNotes writes each chunk as a note with front matter and reads it back: where the index holds
// anything else than the chunks, the request is out of reach.
func indexNotes(chunks []note) (ownIndex, renamed, error) {
	files, ids := map[string]string{}, renamed{}
	for _, chunk := range chunks {
		if _, taken := ids[chunk.Path]; taken {
			return ownIndex{}, nil, unreachable("the SDK's index holds one chunk a path, and %q has two", chunk.Path)
		}
		files[chunk.Path], ids[chunk.Path] = frontMatter(chunk), chunk.ID
	}
	index, err := openIndex(files)
	if err != nil {
		return ownIndex{}, nil, err
	}
	for _, chunk := range chunks {
		if err := index.holds(chunk); err != nil {
			index.close()
			return ownIndex{}, nil, err
		}
	}
	return index, ids, nil
}

// frontMatter names title and summary in both of the SDK's vocabularies, wiki and memory.
func frontMatter(chunk note) string {
	return strings.Join([]string{
		"---",
		"title: " + chunk.Title, "name: " + chunk.Title,
		"summary: " + chunk.Summary, "description: " + chunk.Summary,
		"tags: " + strings.Join(chunk.Tags, ", "),
		"---",
		chunk.Content,
	}, "\n")
}

func (i ownIndex) holds(chunk note) error {
	rows, err := i.LookupRows(context.Background(), []string{chunk.Path})
	if err != nil {
		return err
	}
	if len(rows) != 1 {
		return unreachable("the SDK does not index the path %q", chunk.Path)
	}
	row := rows[0]
	for _, field := range [][3]string{
		{"title", chunk.Title, row.Title},
		{"summary", chunk.Summary, row.Summary},
		{"content", chunk.Content, row.Content},
		{"tags", strings.Join(chunk.Tags, " "), row.Tags},
	} {
		if field[1] != field[2] {
			return unreachable("the SDK's index stores the %s of %q as %q", field[0], chunk.Path, field[2])
		}
	}
	return nil
}

// indexedSource is the SDK's own source with its questions recorded and its vector leg scripted.
type indexedSource struct {
	*retrieval.IndexSource
	log    *callLog
	vector func() ([]note, error)
}

func (s indexedSource) SearchBM25(
	ctx context.Context, match string, limit int, filters retrieval.Filters,
) ([]retrieval.BM25Hit, error) {
	s.log.add(object{"to": "bm25", "match": match, "limit": limit})
	return s.IndexSource.SearchBM25(ctx, match, limit, filters)
}

func (s indexedSource) SearchVector(
	_ context.Context, _ []float32, limit int, _ retrieval.Filters,
) ([]retrieval.VectorHit, error) {
	return vectorHits(s.log, s.vector, limit)
}

// sqliteVersion is the version that the SDK's own driver reports.
func sqliteVersion() string {
	index, err := openIndex(nil)
	var version string
	if err == nil {
		defer index.close()
		err = index.db.QueryRow("SELECT sqlite_version()").Scan(&version)
	}
	if err != nil {
		return "unknown: " + err.Error()
	}
	return version
}
