// Algorithms document, Intent-aware reweighting: Intent categories, the regexes as printed, Multipliers.

const PATTERNS = {
  PREFERENCE_QUERY_RE:
    /\b(?:recommend|suggest|recommendation|suggestion|tips?|advice|ideas?|what should i|which should i)\b/i,
  ENUMERATION_OR_TOTAL_QUERY_RE: /\b(?:how many|count|total|in total|sum|add up|list|what are all)\b/i,
  FIRST_PERSON_FACT_LOOKUP_RE: /\b(?:did i|have i|was i|were i)\b/i,
  FACT_LOOKUP_VERB_RE:
    /\b(?:pick(?:ed)? up|bought|ordered|spent|earned|sold|drove|travelled|traveled|watched|visited|completed|finished|submitted|booked)\b/i,
  PREFERENCE_NOTE_RE:
    /\b(?:prefer(?:s|red)?|like(?:s|d)?|love(?:s|d)?|want(?:s|ed)?|need(?:s|ed)?|avoid(?:s|ed)?|dislike(?:s|d)?|hate(?:s|d)?|enjoy(?:s|ed)?|interested in|looking for)\b/i,
  GENERIC_NOTE_RE:
    /\b(?:tips?|advice|suggest(?:ion|ed)?s?|recommend(?:ation|ed)?s?|ideas?|options?|guide|tracking|tracker|checklist)\b/i,
  ROLLUP_NOTE_RE: /\b(?:roll-?up|summary|recap|overview|aggregate|combined|overall|in total|totalled?|totalling)\b/i,
  ATOMIC_EVENT_NOTE_RE:
    /\b(?:i|we)\s+(?:picked up|bought|ordered|spent|earned|sold|drove|travelled|traveled|went|watched|visited|completed|finished|started|booked|got|took|submitted)\b/i,
  DATE_TAG_RE: /\[(?:date|observed on):/i,
};

/** Intent categories. */
export function detect(query) {
  const text = query.toLowerCase();
  const matches = (name) => PATTERNS[name].test(text);
  return {
    preferenceQuery: matches('PREFERENCE_QUERY_RE'),
    concreteFactQuery:
      matches('ENUMERATION_OR_TOTAL_QUERY_RE') ||
      (matches('FIRST_PERSON_FACT_LOOKUP_RE') && matches('FACT_LOOKUP_VERB_RE')),
  };
}

/** The conditions of both tables of the section Multipliers. */
function features({ path, title, summary, content }) {
  const text = [path, title, summary, content].join('\n').toLowerCase();
  return {
    global: path.includes('memory/global/'),
    userPreference: path.includes('user-preference-'),
    fact: path.includes('user-fact-') || path.includes('milestone-'),
    preference: PATTERNS.PREFERENCE_NOTE_RE.test(text),
    generic: PATTERNS.GENERIC_NOTE_RE.test(text),
    rollUp: PATTERNS.ROLLUP_NOTE_RE.test(text),
    event: PATTERNS.DATE_TAG_RE.test(text) || PATTERNS.ATOMIC_EVENT_NOTE_RE.test(text),
  };
}

function preferenceMultiplier(note) {
  let factor = 1;
  if (note.global && note.userPreference) factor *= 2.35;
  else if (note.global && note.preference) factor *= 2.1;
  if (!note.global && note.generic) factor *= 0.82;
  if (note.rollUp) factor *= 0.9;
  return factor;
}

function concreteFactMultiplier(note) {
  const atomic = note.fact || (!note.rollUp && note.event);
  let factor = atomic ? 2.2 : 1;
  if (note.rollUp) factor *= 0.45;
  if (!atomic && !note.global && note.generic) factor *= 0.75;
  return factor;
}

function multipliers(intent, note) {
  const preference = intent.preferenceQuery ? preferenceMultiplier(features(note)) : 1;
  const concreteFact = intent.concreteFactQuery ? concreteFactMultiplier(features(note)) : 1;
  return { preference, concreteFact, combined: preference * concreteFact };
}

/** Determinism rules: the intent is evaluated once, equal scores keep their fused order. No intent: a bypass. */
export function reweight(query, results) {
  const intent = detect(query);
  if (!intent.preferenceQuery && !intent.concreteFactQuery) return results;
  return results
    .map((result) => ({ ...result, score: result.score * multipliers(intent, result).combined }))
    .sort((one, other) => other.score - one.score);
}

export const operations = {
  'intent.matches': ({ pattern, text }) => ({ matches: PATTERNS[pattern].test(text) }),
  'intent.detect': ({ query }) => detect(query),
  'intent.multiplier': ({ query, note }) => multipliers(detect(query), note),
  'intent.reweight': ({ query, results }) => ({
    results: reweight(query, results).map(({ metadata, ...result }) => result),
  }),
};
