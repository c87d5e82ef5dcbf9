// A real FTS5 index behind the SDK's index interface. SQLite comes as WebAssembly
// inside its npm package, so nothing is compiled, and is loaded by the first request that needs it.

import { PartFailure } from './reach.mjs';

let sqlite3;

async function engine() {
  if (sqlite3 === undefined) {
    const { default: load } = await import('@sqlite.org/sqlite-wasm');
    sqlite3 = await load();
    // A refused MATCH is raised to the SDK; SQLite need not also print it.
    sqlite3.config.warn = sqlite3.config.error = () => {};
  }
  return sqlite3;
}

// `knowledge_chunks` has the columns that the SDK itself reads when it builds its trigram index.
const TABLES = `
  CREATE TABLE knowledge_chunks (
    id TEXT, path TEXT, title TEXT, summary TEXT, content TEXT, tags TEXT, metadata_json TEXT
  );
  CREATE VIRTUAL TABLE notes USING fts5(
    path, title, summary, tags, content, tokenize = 'porter unicode61'
  );
`;
const STORE = `
  INSERT INTO knowledge_chunks (id, path, title, summary, content, tags, metadata_json) VALUES (?, ?, ?, ?, ?, ?, ?)
`;
const FILL = 'INSERT INTO notes (path, title, summary, content, tags) VALUES (?, ?, ?, ?, ?)';
const SEARCH = `
  SELECT rowid, bm25(notes, 3, 10, 5, 4, 1) AS score FROM notes
  WHERE notes MATCH ? ORDER BY bm25(notes, 3, 10, 5, 4, 1) LIMIT ?
`;

/** An in-memory index over `chunks`; `close` frees its memory. Row n is chunk n, counted from 1. */
export async function openIndex(chunks) {
  const { oo1 } = await engine();
  const db = new oo1.DB(':memory:');
  db.exec(TABLES);
  for (const { id, path, title, summary, content, tags = [], metadata } of chunks) {
    const columns = [path, title, summary, content, tags.join(' ')];
    db.exec({ sql: STORE, bind: [id, ...columns, metadata === undefined ? null : JSON.stringify(metadata)] });
    db.exec({ sql: FILL, bind: columns });
  }
  return {
    search(match, limit) {
      return matching(db, match, limit).map(({ rowid, score }) => ({ chunk: chunks[rowid - 1], score }));
    },
    rows: (sql, values) => db.selectObjects(sql, values),
    close: () => db.close(),
  };
}

/** The rows of a MATCH expression; the SDK sees the engine's error for an invalid one. */
function matching(db, match, limit) {
  try {
    return db.selectObjects(SEARCH, [match, limit]);
  } catch (error) {
    throw new PartFailure(error.message, { cause: error });
  }
}
