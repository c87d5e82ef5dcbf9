// Pull request 10, Adaptive weighted-RRF fusion, with the facts of fusion.ts and fingerprint.ts: AUGUR-GAP-*,
// AUGUR-PRIOR-*, AUGUR-FUSE-*, AUGUR-FILT-*, AUGUR-FNV-*.

const K = 60;

export const clamp = (x, lo, hi) => Math.max(lo, Math.min(hi, x));

/** The gap of the first two scores over the range of the visible top ten. */
function topGapNormalized(scores) {
  const visible = scores.slice(0, 10);
  const range = visible[0] - visible.at(-1);
  return visible.length < 2 || !(range > 0) ? 0 : clamp((visible[0] - visible[1]) / range, 0, 1);
}

export function pickVectorWeight({ wordCount, isQuestion, hasQuotedPhrase, hasSpecificTokens, hasCodeLike }) {
  if (hasQuotedPhrase || hasSpecificTokens || hasCodeLike) return 0.3;
  if (wordCount <= 2) return 0.4;
  return isQuestion && wordCount >= 6 ? 0.7 : 0.5;
}

export function adaptWeight(baseWeight, vecScores, kwScores) {
  const shift = (topGapNormalized(vecScores) - topGapNormalized(kwScores)) * 0.3;
  return clamp(baseWeight + clamp(shift, -0.2, 0.2), 0.1, 0.9);
}

/** Results {id, score, item, payloadFrom}, the best first. A weight is multiplied by a reciprocal: RUL-AUGUR-21. */
export function weightedRrf(vec, kw, vectorWeight, k = K) {
  const weight = clamp(vectorWeight, 0, 1);
  const found = new Map();
  vec.forEach((item, place) => {
    found.set(item.id, { id: item.id, score: weight * (1 / (k + place + 1)), item, payloadFrom: 'vec' });
  });
  kw.forEach((item, place) => {
    const contribution = (1 - weight) * (1 / (k + place + 1));
    if (found.has(item.id)) found.get(item.id).score += contribution;
    else found.set(item.id, { id: item.id, score: contribution, item, payloadFrom: 'kw' });
  });
  return [...found.values()].sort((one, other) => other.score - one.score);
}

export const composeFilter = (userFilter, autoLang) => (autoLang ? { lang: autoLang, ...userFilter } : userFilter);

/** The count, a colon, and the 32-bit FNV-1a hash in base 36. */
export function fingerprint(documents) {
  let hash = 0x811c9dc5;
  const take = (unit) => {
    hash = Math.imul(hash ^ unit, 0x01000193) >>> 0;
  };
  const takeText = (text) => text.split('').forEach((unit) => take(unit.charCodeAt(0)));
  for (const { id, content } of documents) {
    takeText(id);
    take(0);
    takeText(content);
    take(0xff);
  }
  return `${documents.length}:${hash.toString(36)}`;
}

export const operations = {
  'augur.clamp': ({ x, lo, hi }) => ({ value: clamp(x, lo, hi) }),
  'augur.topGapNormalized': ({ scores }) => ({ confidence: topGapNormalized(scores) }),
  'augur.pickVectorWeight': ({ signals }) => ({ weight: pickVectorWeight(signals) }),
  'augur.adaptWeight': ({ baseWeight, vecScores, kwScores }) => ({ weight: adaptWeight(baseWeight, vecScores, kwScores) }),
  'augur.weightedRrf': ({ vec, kw, vectorWeight, k }) => ({
    results: weightedRrf(vec, kw, vectorWeight, k).map(({ item, ...result }) => result),
  }),
  'augur.composeFilter': ({ userFilter, autoLang }) => ({ filter: composeFilter(userFilter, autoLang) }),
  'augur.fingerprintDocs': ({ documents }) => ({ fingerprint: fingerprint(documents) }),
  'augur.sameFingerprint': ({ left, right }) => ({ same: fingerprint(left) === fingerprint(right) }),
};
