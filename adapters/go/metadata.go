package main

import (
	"maps"
	"reflect"
	"strings"

	"github.com/jeffs-brain/memory/go/search"
)

// metadataRows has a row for each path whose notes carry metadata. The hits of the SDK's legs have no metadata; the
// SDK looks the rows of their paths up, and takes it from there.
type metadataRows map[string]search.IndexedRow

// rowsOf refuses metadata that a row cannot hold, or that differs between two notes of a path.
func rowsOf(lists ...[]note) (metadataRows, error) {
	rows, known := metadataRows{}, map[string]map[string]string{}
	for _, list := range lists {
		for _, n := range list {
			if other, seen := known[n.Path]; seen && !maps.Equal(other, n.Metadata) {
				return nil, unreachable("the SDK keeps metadata by path, and two notes of %q differ in theirs", n.Path)
			}
			known[n.Path] = n.Metadata
			if len(n.Metadata) == 0 {
				continue
			}
			row, err := rowOf(n)
			if err != nil {
				return nil, err
			}
			rows[n.Path] = row
		}
	}
	return rows, nil
}

func rowOf(n note) (search.IndexedRow, error) {
	if n.Path == "" {
		return search.IndexedRow{}, unreachable("the SDK keeps metadata by path, and a note with metadata has none")
	}
	row := search.IndexedRow{Path: n.Path}
	for key, value := range n.Metadata {
		field := metadataField(reflect.ValueOf(&row).Elem(), key)
		if !field.IsValid() {
			return row, unreachable("the rows of the SDK's source have no place for the metadata %q", key)
		}
		field.SetString(value)
	}
	return row, nil
}

// notMetadata are the fields of a row that hold the note itself, and the session: a source with sessions also finds
// the neighbours of a note (retrieval.SessionNeighbourSource), which no request describes.
var notMetadata = map[string]bool{
	"path": true, "title": true, "summary": true, "content": true, "tags": true, "sessionid": true,
}

// metadataField is the text field of a row for a key in snake or camel case; not valid if there is none.
func metadataField(row reflect.Value, key string) reflect.Value {
	name := strings.ToLower(strings.ReplaceAll(key, "_", ""))
	if name == "project" {
		name = "projectslug"
	}
	field := row.FieldByNameFunc(func(field string) bool { return strings.ToLower(field) == name && !notMetadata[name] })
	if !field.IsValid() || field.Kind() != reflect.String {
		return reflect.Value{}
	}
	return field
}

func (m metadataRows) of(paths []string) []search.IndexedRow {
	rows := []search.IndexedRow{}
	for _, path := range paths {
		if row, known := m[path]; known {
			rows = append(rows, row)
		}
	}
	return rows
}
