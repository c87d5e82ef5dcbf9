// Recall & ranking: the lexical lane, decay and trust. Facts that the page leaves to its repository follow the statements
// of the corpus: TIDE-BM25-*, TIDE-DECAY-03a, TIDE-TRUST-*.

const STOPWORDS = new Set(
  (
    'a an and are as at be by did do does for from had has have how i in is it its me my of on or that the this to was ' +
    'what when where which who will with you your'
  ).split(' '),
);
const K1 = 1.2;
const B = 0.75;
const DAY = 86_400_000;
const TRUST = {
  user_instruction: 1,
  owner_message: 1,
  extraction: 0.9,
  dream: 0.85,
  compaction: 0.85,
  channel_message: 0.8,
  tool_output: 0.65,
  retrieved_document: 0.6,
};

export const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
export const tokenize = (text) => words(text).filter((word) => !STOPWORDS.has(word));
const clamped = (number) => Math.min(1, Math.max(0, number));

export function effectiveScore({ tier, importance, decayRate, accessCount, lastAccessedAt }, now) {
  if (tier === 'permanent') return 1;
  const days = (now - lastAccessedAt) / DAY;
  const rate = ((0.8 * Math.LN2) / (11.25 * (1 + importance))) * (1 + decayRate);
  return clamped(importance * Math.exp(-rate * Math.max(0, days)) * (1 + 0.1 * Math.log(1 + accessCount)));
}

export const modulator = (effective) => 0.5 + 0.5 * effective;

export function trustFactor({ sourceType, confidence }) {
  const trust = !sourceType ? 1 : Object.hasOwn(TRUST, sourceType) ? TRUST[sourceType] : 0.9;
  return confidence === undefined ? trust : trust * clamped(confidence);
}

/** Hits {record, score, ...parts}, the best first. */
export function bm25(records, query, now, modulate = true) {
  const texts = records.map(({ content }) => tokenize(content));
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const mean = Math.max(1, total / records.length);
  const terms = [...new Set(tokenize(query))];
  const idf = (term) => {
    const having = texts.filter((text) => text.includes(term)).length;
    return Math.log(1 + (records.length - having + 0.5) / (having + 0.5));
  };
  const hits = records.map((record, place) => {
    const text = texts[place];
    const matchedTerms = terms.filter((term) => text.includes(term));
    const relevance = matchedTerms.reduce((sum, term) => {
      const frequency = text.filter((token) => token === term).length;
      return sum + (idf(term) * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * text.length) / mean));
    }, 0);
    const effective = effectiveScore(record, now);
    const factor = modulate ? modulator(effective) : 1;
    return { record, bm25: relevance, matchedTerms, effective, modulator: factor, score: relevance * factor };
  });
  return hits
    .filter(({ bm25: relevance }) => relevance > 0)
    .sort((one, other) => other.score - one.score || other.record.createdAt - one.record.createdAt);
}

function scored({ records, query, now, options: { modulate, breakdown } = {} }) {
  const results = bm25(records, query, now, modulate).map(({ record, ...parts }) => ({
    id: record.memoryId,
    score: parts.score,
    ...(breakdown && { breakdown: parts }),
  }));
  return { results };
}

export const operations = {
  'tideline.tokenize': ({ text }) => ({ tokens: tokenize(text) }),
  'tideline.stopwords': () => ({ stopwords: [...STOPWORDS] }),
  'tideline.effectiveScore': ({ record, now }) => ({ effective: effectiveScore(record, now) }),
  'tideline.modulator': ({ effectiveScore: effective }) => ({ modulator: modulator(effective) }),
  'tideline.trustFactor': (record) => ({ trust: trustFactor(record) }),
  'tideline.bm25': scored,
};
