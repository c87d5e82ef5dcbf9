package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"unicode/utf8"
)

type object = map[string]any

// handler answers one operation's request with its answer object.
type handler func(params json.RawMessage) (object, error)

// malformed is a request that breaks its schema.
type malformed struct{ message string }

// outOfReach is a request that the SDK's public surface cannot answer.
type outOfReach struct{ reason string }

// panicked is a panic inside the SDK, with its stack.
type panicked struct{ message, stack string }

func (e malformed) Error() string  { return e.message }
func (e outOfReach) Error() string { return e.reason }
func (e panicked) Error() string   { return e.message }

func unreachable(format string, args ...any) error {
	return outOfReach{fmt.Sprintf(format, args...)}
}

// answerLine answers one message; last is true after `shutdown`.
func answerLine(line []byte) (reply []byte, last bool) {
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(line, &message); err != nil {
		return failure(nil, -32700, err.Error(), nil), false
	}
	switch message.Method {
	case "initialize":
		return success(message.ID, introduction()), false
	case "shutdown":
		return success(message.ID, object{}), true
	}
	handle, offered := operations[message.Method]
	if !offered {
		return failure(message.ID, -32601, "no such operation: "+message.Method, nil), false
	}
	result, err := guarded(handle, message.Params)
	if err != nil {
		return failed(message.ID, err), false
	}
	return success(message.ID, result), false
}

// guarded turns a panic inside the SDK into an error, so that it costs one answer only.
func guarded(handle handler, params json.RawMessage) (result object, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicked{fmt.Sprint("panic: ", cause), string(debug.Stack())}
		}
	}()
	return handle(params)
}

// success refuses bytes that are no Unicode text: JSON cannot carry them, and encoding/json
// would hide them behind U+FFFD. It refuses NaN and infinities in the same way.
func success(id json.RawMessage, result object) []byte {
	if place := invalidText(reflect.ValueOf(result), "$"); place != "" {
		return failed(id, errors.New("the answer holds invalid UTF-8 at "+place))
	}
	line, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, "result": result})
	if err != nil {
		return failed(id, err)
	}
	return line
}

// failed maps an error to the protocol's code for it.
func failed(id json.RawMessage, err error) []byte {
	var bad malformed
	var beyond outOfReach
	var burst panicked
	switch {
	case errors.As(err, &bad):
		return failure(id, -32602, bad.message, nil)
	case errors.As(err, &beyond):
		return failure(id, -32001, "out of the public surface's reach", object{"reason": beyond.reason})
	case errors.As(err, &burst):
		return failure(id, -32000, burst.message, object{"type": "unclassified", "message": burst.message, "stack": burst.stack})
	}
	return failure(id, -32000, err.Error(), object{"type": "unclassified", "message": err.Error()})
}

func failure(id json.RawMessage, code int, message string, data object) []byte {
	fault := object{"code": code, "message": message}
	if data != nil {
		fault["data"] = data
	}
	line, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, "error": fault})
	if err != nil {
		panic(err) // strings, a number and the caller's own id: always JSON
	}
	return line
}

// operation reads the request strictly, then calls answer.
func operation[R any](answer func(R) (object, error)) handler {
	return func(params json.RawMessage) (object, error) {
		var request R
		decoder := json.NewDecoder(bytes.NewReader(params))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&request); err != nil {
			return nil, malformed{err.Error()}
		}
		if missing := missingField(reflect.TypeFor[R](), params); missing != "" {
			return nil, malformed{"missing field: " + missing}
		}
		return answer(request)
	}
}

// missingField names a field without omitempty that the request lacks.
func missingField(shape reflect.Type, params json.RawMessage) string {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(params, &given); err != nil {
		return "all of them"
	}
	for i := range shape.NumField() {
		name, optional := strings.CutSuffix(shape.Field(i).Tag.Get("json"), ",omitempty")
		if value, present := given[name]; !optional && (!present || string(value) == "null") {
			return name
		}
	}
	return ""
}

// invalidText gives the place of the first string that is not valid UTF-8, or "".
func invalidText(value reflect.Value, place string) string {
	switch value.Kind() {
	case reflect.String:
		if !utf8.ValidString(value.String()) {
			return place
		}
	case reflect.Interface, reflect.Pointer:
		if !value.IsNil() {
			return invalidText(value.Elem(), place)
		}
	case reflect.Slice:
		for i := range value.Len() {
			if found := invalidText(value.Index(i), fmt.Sprintf("%s[%d]", place, i)); found != "" {
				return found
			}
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			if found := invalidText(value.MapIndex(key), place+"."+key.String()); found != "" {
				return found
			}
		}
	}
	return ""
}
