// Query DSL document: Pipeline, Grammar, Token stripping, Operator semantics, Stopword filtering, Alias expansion,
// FTS5 compilation target.

import { readFileSync } from 'node:fs';

/** Word lists that the documents name and do not print: RUL-B27, RUL-B99. */
export const WORDS = JSON.parse(readFileSync(new URL('stopwords.json', import.meta.url), 'utf8'));

const STOPWORDS = new Set([...WORDS.english, ...WORDS.dutch]);
const FILLER = new Set(['and', 'or', 'not']); // Grammar, first note.
const OPERATORS = new Set(['AND', 'OR', 'NOT']);
const STRIPPED = new Set('*():^+"-?!.,;/\\[]{}<>|&\'$#@%=~`'); // Token stripping.

export const lower = (text) => text.toLocaleLowerCase('en');

/** Pipeline, step 1. */
export function normalise(query) {
  return query
    .normalize('NFC')
    .replace(/[\u200b\u200c\u200d\ufeff]/g, '')
    .replace(/\u00a0/g, ' ')
    .replace(/\p{White_Space}+/gu, ' ')
    .trim();
}

/** Grammar: the phrases and words of a normalised query, each with the characters around it. */
function lexemes(text) {
  const found = [];
  for (const match of text.matchAll(/"([^"]*)"?|[^\s"]+/g)) {
    const end = match.index + match[0].length;
    if (match[1] !== undefined) found.push({ phrase: match[1] });
    else {
      // Notes: an operator is whitespace-bounded; a quote is no white space.
      const bounded = text[match.index - 1] !== '"' && text[end] !== '"';
      found.push({ word: match[0], operator: bounded && OPERATORS.has(match[0]) });
    }
  }
  return found;
}

export function parse(query) {
  const raw = normalise(query);
  const read = lexemes(raw);
  const hasOperators = raw.includes('"') || read.some((one) => one.operator);
  const tokens = [];
  let pending;
  const emit = (kind, text) => {
    tokens.push(pending ? { kind, text, operator: pending } : { kind, text });
    pending = undefined;
  };
  for (const { phrase, word, operator } of read) {
    if (phrase !== undefined) emit('phrase', lower(phrase));
    else if (operator) pending = word;
    else {
      const text = lower([...word].filter((character) => !STRIPPED.has(character)).join(''));
      const noise = text.length <= 2 || STOPWORDS.has(text) || FILLER.has(text);
      if (text === '' || (!hasOperators && noise)) continue;
      emit(word.endsWith('*') ? 'prefix' : 'term', text);
    }
  }
  return { raw, tokens, hasOperators };
}

/** Alias expansion and Runtime semantics. */
export function expandAliases(ast, aliases) {
  const tokens = ast.tokens.flatMap((token) => {
    if (token.kind !== 'term') return [token];
    const key = [token.text, lower(token.text)].find((one) => Object.hasOwn(aliases, one));
    const expanded = new Map();
    for (const alternative of key === undefined ? [] : aliases[key]) {
      const words = lower(alternative).match(/[\p{L}\p{Nd}]+/gu) ?? [];
      if (words.length === 0) continue;
      const one = { kind: words.length === 1 ? 'term' : 'phrase', text: words.join(' ') };
      expanded.set(`${one.kind} ${one.text}`, one);
    }
    if (expanded.size === 0) return [token];
    const [first, ...others] = expanded.values();
    return [token.operator ? { ...first, operator: token.operator } : first, ...others];
  });
  return { ...ast, tokens };
}

/** FTS5 compilation target. */
export function compile({ tokens }) {
  const surface = { term: (text) => text, phrase: (text) => `"${text}"`, prefix: (text) => `${text}*` };
  const joined = { AND: 'AND', OR: 'OR', NOT: 'AND NOT' };
  return tokens
    .flatMap(({ kind, text, operator = 'OR' }, place) =>
      place === 0 ? [surface[kind](text)] : [joined[operator], surface[kind](text)],
    )
    .join(' ');
}

export const operations = {
  'query.normalise': ({ query }) => ({ text: normalise(query) }),
  'query.parse': ({ query }) => ({ ast: parse(query) }),
  'query.expandAliases': ({ ast, aliases }) => ({ ast: expandAliases(ast, aliases) }),
  'query.compile': ({ ast }) => ({ match: compile(ast) }),
  'query.pipeline': ({ query, aliases }) => {
    const ast = aliases ? expandAliases(parse(query), aliases) : parse(query);
    return { ast, match: compile(ast) };
  },
  'stopwords.list': ({ language }) => ({ words: { en: WORDS.english, nl: WORDS.dutch }[language] }),
};
