package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"

	"github.com/jeffs-brain/memory/go/search"
)

// database is a SQLite database in a folder of its own, on the driver of the SDK.
type database struct {
	*sql.DB
	folder string
}

func openDatabase() (database, error) {
	folder, err := os.MkdirTemp("", "parity-go-")
	if err != nil {
		return database{}, err
	}
	db, err := search.OpenDB(filepath.Join(folder, "index.db"))
	if err != nil {
		os.RemoveAll(folder)
	}
	return database{db, folder}, err
}

func (d database) close() {
	search.CloseDB(d.DB)
	os.RemoveAll(d.folder)
}

// sqliteVersion is the version that the SDK's own driver reports.
func sqliteVersion() string {
	var version string
	db, err := openDatabase()
	if err == nil {
		defer db.close()
		err = db.QueryRow("SELECT sqlite_version()").Scan(&version)
	}
	if err != nil {
		return "unknown: " + err.Error()
	}
	return version
}

// table is the real index of a request: an FTS5 table, row n for note n, counted from 1.
type table struct {
	database
	notes []note
}

const (
	createNotes = `CREATE VIRTUAL TABLE notes USING fts5(path, title, summary, tags, content, tokenize = 'porter unicode61')`
	insertNote  = `INSERT INTO notes (path, title, summary, tags, content) VALUES (?, ?, ?, ?, ?)`
	searchNotes = `SELECT rowid FROM notes WHERE notes MATCH ? ORDER BY bm25(notes, 3, 10, 5, 4, 1), rowid`
)

func openTable(notes []note) (table, error) {
	db, err := openDatabase()
	if err != nil {
		return table{}, err
	}
	_, err = db.Exec(createNotes)
	for _, n := range notes {
		if err == nil {
			_, err = db.Exec(insertNote, n.Path, n.Title, n.Summary, strings.Join(n.Tags, " "), n.Content)
		}
	}
	if err != nil {
		db.close()
		return table{}, err
	}
	return table{db, notes}, nil
}

// answer finds the notes that match, best first; an error of the engine is an error of the index.
func (t table) answer(match string) ([]note, error) {
	rows, err := t.Query(searchNotes, match)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []note{}
	for rows.Next() {
		var row int
		if err := rows.Scan(&row); err != nil {
			return nil, err
		}
		found = append(found, t.notes[row-1])
	}
	return found, rows.Err()
}
