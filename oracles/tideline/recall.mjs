// Recall & ranking: Two lanes, Origin filtering. TIDE-LANE-*, TIDE-VEC-*, TIDE-ORIGIN-*, TIDE-AUTO-*.

import { cosine, embed } from './embedder.mjs';
import { bm25, effectiveScore, modulator, trustFactor } from './lexical.mjs';

const FLOOR = 0.3;
const LIMIT = 8;
const SAME = ['channelId', 'conversationId', 'sessionKey'];
const HRR = { kind: 'hrr' };

export const limited = (limit) => (limit > 0 ? limit : LIMIT);

function queryVector(embedder, query) {
  if (embedder.kind === 'hrr') return embed(query);
  return Object.hasOwn(embedder.vectors, query) ? embedder.vectors[query] : embedder.default;
}

const storedVector = ({ embed: kind, embedding, content }) => embedding ?? (kind === 'hrr' ? embed(content) : undefined);

/** Similarity of a fact; -1 without a vector of the query's length. */
function similarity(record, wanted) {
  const vector = storedVector(record);
  return vector?.length === wanted.length ? cosine(wanted, vector) : -1;
}

/** Facts at or above the floor, each id once: the last record with its last rank stands for all. */
function vectorLane(records, wanted, floor) {
  const near = records
    .map((record) => ({ record, similarity: similarity(record, wanted) }))
    .filter((one) => one.similarity >= floor)
    .sort((one, other) => other.similarity - one.similarity);
  const lane = new Map();
  near.forEach(({ record }, place) => lane.set(record.memoryId, { record, vecRank: place + 1 }));
  return lane;
}

/** The best by `lambda * score / greatest - (1 - lambda) * greatest cosine to a chosen one`, one after the other. */
function varied(results, lambda, limit) {
  const greatest = Math.max(...results.map(({ score }) => score));
  const vectors = new Map(results.map((one) => [one, storedVector(one.record)]));
  const chosen = [];
  const left = [...results];
  while (left.length > 0 && chosen.length < limit) {
    const value = (one) => {
      const vector = vectors.get(one);
      const cosines = chosen.map((other) => (vector && vectors.get(other) ? cosine(vector, vectors.get(other)) : 0));
      const relevance = greatest > 0 ? one.score / greatest : 0;
      return lambda * relevance - (1 - lambda) * Math.max(0, ...cosines);
    };
    const best = left.reduce((top, one) => (value(one) > value(top) ? one : top));
    chosen.push(...left.splice(left.indexOf(best), 1));
  }
  return chosen;
}

/** Results {record, score, lexRank?, vecRank?}, the best first. */
export function recall({ records, query, now, embedder = HRR, options = {} }) {
  const lane = vectorLane(records, queryVector(embedder, query), options.minSim ?? embedder.minSim ?? FLOOR);
  const hits = bm25(records, query, now)
    .map(({ record, score }, place) => ({
      record,
      score: score * trustFactor(record),
      lexRank: place + 1,
      vecRank: lane.get(record.memoryId)?.vecRank,
    }))
    .sort((one, other) => other.score - one.score || other.record.createdAt - one.record.createdAt);
  const found = new Set(hits.map(({ record }) => record.memoryId));
  const base = hits.length > 0 ? Math.min(...hits.map(({ score }) => score)) : 1;
  const recovered = [...lane.values()]
    .filter(({ record }) => !found.has(record.memoryId))
    .sort((one, other) => one.vecRank - other.vecRank)
    .map(({ record, vecRank }, place) => {
      const weight = trustFactor(record) * modulator(effectiveScore(record, now));
      return { record, score: base * 0.5 * 0.9 ** place * weight, vecRank };
    });
  const all = [...hits, ...recovered];
  const limit = limited(options.limit);
  if (options.mmrLambda < 1) return varied(all, options.mmrLambda, limit);
  return all.sort((one, other) => other.score - one.score).slice(0, limit);
}

/** Origin filtering: a null viewer is maintenance, a fact without an origin is the owner's. */
export function originMatch(recordOrigin, viewer) {
  if (viewer === null) return true;
  const origin = recordOrigin ?? { kind: 'owner' };
  if (origin.kind !== viewer.kind) return false;
  if (viewer.kind === 'owner') return true;
  return SAME.every((name) => origin[name] === viewer[name]) && (origin.accountId || '') === (viewer.accountId || '');
}

export function candidates(records, origin, now) {
  return records.filter(
    (record) =>
      record.lifecycle === 'active' &&
      (record.validTo === undefined || record.validTo > now) &&
      originMatch(record.createdBy ?? null, origin ?? null),
  );
}

function search({ records, query, now, options }) {
  const found = recall({ records: candidates(records, options.origin, now), query, now, options: { limit: options.limit } });
  const touched = new Set(options.markAccessed === false ? [] : found.map(({ record }) => record.memoryId));
  return {
    results: found.map(({ record, score }) => ({ id: record.memoryId, score })),
    state: records.map(({ memoryId: id, accessCount, lastAccessedAt }) =>
      touched.has(id) ? { id, accessCount: accessCount + 1, lastAccessedAt: now } : { id, accessCount, lastAccessedAt },
    ),
  };
}

function autoRecallOrigin({ senderIsOwner, channelApprovalRoute: route, sessionKey }) {
  if (senderIsOwner) return { kind: 'owner' };
  if (!route) return null;
  const account = route.accountId === undefined ? {} : { accountId: route.accountId };
  const { channelId, conversationId } = route;
  return { kind: 'channel', channelId, conversationId, sessionKey, ...account };
}

/** The facts before a turn: at most five, none without a viewer. */
export function autoRecallFacts({ records, query, now, origin }) {
  if (origin === null) return [];
  return recall({ records: candidates(records, origin, now), query, now, options: { limit: 5 } }).map(({ record }) => record);
}

const shown = ({ record, ...result }) => ({ id: record.memoryId, ...result });

export const operations = {
  'tideline.recall': (request) => ({ results: recall(request).map(shown) }),
  'tideline.ranking': (request) => ({ ids: recall(request).map(({ record }) => record.memoryId) }),
  'tideline.proportion': (request) => {
    const score = (id) => recall(request).find(({ record }) => record.memoryId === id).score;
    return { proportion: score(request.of) / score(request.to) };
  },
  'tideline.originMatch': ({ recordOrigin, filter }) => ({ match: originMatch(recordOrigin, filter) }),
  'tideline.search': search,
  'tideline.autoRecallOrigin': (request) => ({ origin: autoRecallOrigin(request) }),
  'tideline.autoRecallFacts': (request) => ({ ids: autoRecallFacts(request).map(({ memoryId }) => memoryId) }),
};
