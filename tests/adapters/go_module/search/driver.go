package search

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
)

// The driver keeps the rows that are inserted, and finds those in which a column has the text of MATCH.
func init() { sql.Register("sqlite", standIn{map[string]*file{}}) }

type standIn struct{ files map[string]*file }
type file struct{ rows [][]driver.Value }
type statement struct {
	*file
	text string
}
type found struct{ values []driver.Value }

func (s standIn) Open(name string) (driver.Conn, error) {
	if s.files[name] == nil {
		s.files[name] = &file{}
	}
	return s.files[name], nil
}
func (f *file) Prepare(text string) (driver.Stmt, error) { return statement{f, text}, nil }
func (f *file) Close() error                             { return nil }
func (f *file) Begin() (driver.Tx, error)                { return nil, errors.New("no transactions") }
func (s statement) NumInput() int                        { return strings.Count(s.text, "?") }
func (s statement) Exec(row []driver.Value) (driver.Result, error) {
	if strings.HasPrefix(s.text, "INSERT") {
		s.file.rows = append(s.file.rows, row)
	}
	return driver.ResultNoRows, nil
}
func (s statement) Query(given []driver.Value) (driver.Rows, error) {
	if len(given) == 0 {
		return &found{[]driver.Value{"3.0.0"}}, nil
	}
	if given[0] == "NOT" {
		return nil, errors.New("fts5: syntax error")
	}
	rows := &found{}
	for i, row := range s.rows {
		for _, column := range row {
			if strings.Contains(column.(string), given[0].(string)) {
				rows.values = append(rows.values, int64(i+1))
				break
			}
		}
	}
	return rows, nil
}
func (f *found) Columns() []string { return []string{"found"} }
func (f *found) Close() error      { return nil }
func (f *found) Next(row []driver.Value) error {
	if len(f.values) == 0 {
		return io.EOF
	}
	row[0], f.values = f.values[0], f.values[1:]
	return nil
}
