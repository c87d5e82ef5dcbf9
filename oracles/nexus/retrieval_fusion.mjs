// Retrieval fusion: How RRF Works, Architecture, FTS Session Scoping, fuseEpisodeResults, Settings, Constants.

const RETRIEVAL = { RRF_K: 60, SEMANTIC_WEIGHT: 1.0, KEYWORD_WEIGHT: 0 };
const WEIGHTS = ['semanticWeight', 'keywordWeight'];
const DEFAULTS = { semanticWeight: RETRIEVAL.SEMANTIC_WEIGHT, keywordWeight: RETRIEVAL.KEYWORD_WEIGHT };

/** How RRF Works: an absent rank contributes 0. */
function rrfScore({ semanticRank, keywordRank, semanticWeight, keywordWeight }) {
  const term = (weight, rank) => (rank === null ? 0 : weight / (RETRIEVAL.RRF_K + rank));
  return { score: term(semanticWeight, semanticRank) + term(keywordWeight, keywordRank) };
}

/** Entries {episode, score}, the best first. */
function fuse({ semantic, keyword, semanticWeight, keywordWeight, limit }) {
  const found = new Map();
  semantic.forEach((episode, place) => {
    found.set(episode.id, { episode, score: semanticWeight / (RETRIEVAL.RRF_K + place + 1) });
  });
  keyword.forEach((episode, place) => {
    const contribution = keywordWeight / (RETRIEVAL.RRF_K + place + 1);
    if (found.has(episode.id)) found.get(episode.id).score += contribution;
    else if (contribution > 0) found.set(episode.id, { episode, score: contribution });
  });
  return [...found.values()].sort((one, other) => other.score - one.score).slice(0, limit);
}

/** FTS Session Scoping: the sessions of the project, or the session alone. */
function scope(session, projectSessionIds) {
  const inProject = session.projectId !== undefined && session.projectId !== null;
  return inProject && projectSessionIds ? projectSessionIds : [session.id];
}

/** The parts of a comma-separated text that are decimal integers. */
const parseSessionIds = (text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^-?[0-9]+$/.test(part))
    .map(Number);

/** Architecture and Data Shape Consistency: the keyword service returns the first rows, up to the limit of its call. */
function getFused(chat, settings) {
  const recent = new Set(chat.recentIds);
  const old = (ids) => ids.filter((id) => !recent.has(id));
  const rows = (ids) => ids.map((id) => ({ id }));
  const semantic = old(chat.semanticIds);
  let ftsCall = null;
  let keyword = [];
  if (settings.keywordWeight !== 0) {
    ftsCall = { limit: chat.semanticLimit * 2, sessionIds: chat.projectSessionIds ?? [chat.sessionId] };
    keyword = old(chat.ftsIds.slice(0, ftsCall.limit));
  }
  const fused = fuse({ semantic: rows(semantic), keyword: rows(keyword), ...settings, limit: chat.semanticLimit });
  return { ids: fused.map(({ episode }) => episode.id), ftsCall, fetchedById: semantic };
}

/** Settings: a patch with a weight out of its range, or one that is no number, changes nothing. */
function patch(current, changes) {
  const given = WEIGHTS.filter((name) => Object.hasOwn(changes, name));
  const accepted = given.every((name) => typeof changes[name] === 'number' && changes[name] >= 0 && changes[name] <= 5);
  const settings = { ...current };
  if (accepted) for (const name of given) settings[name] = changes[name];
  return { accepted, settings };
}

/** One service, never restarted. */
function serve(requests) {
  let settings = { ...DEFAULTS };
  return requests.map((request) => {
    if (request.getFused) return getFused(request.getFused, settings);
    if (request.getSettings) return settings;
    const answer = patch(settings, request.patchSettings);
    settings = answer.settings;
    return answer;
  });
}

export const operations = {
  'nexus.constants': () => RETRIEVAL,
  'nexus.rrfScore': rrfScore,
  'nexus.fuse': (request) => {
    const fused = fuse(request);
    return { episodes: fused.map(({ episode }) => episode), scores: fused.map(({ score }) => score) };
  },
  'nexus.ftsScope': ({ session, projectSessionIds }) => ({ sessionIds: scope(session, projectSessionIds) }),
  'nexus.parseSessionIds': ({ sessionIds }) => ({ ids: parseSessionIds(sessionIds) }),
  'nexus.getFused': (request) => getFused(request, { ...DEFAULTS, ...request.settings }),
  'nexus.getSettings': () => DEFAULTS,
  'nexus.patchSettings': ({ current, patch: changes }) => patch(current, changes),
  'nexus.serveRequests': ({ requests }) => ({ answers: serve(requests) }),
};
