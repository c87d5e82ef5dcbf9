// Recall & ranking, The model-free embedder (HRR), and the cosine of the vector lane: TIDE-HRR-*, TIDE-VEC-01a.

import { createHash } from 'node:crypto';
import { words } from './lexical.mjs';

const PAIRS = 128;

function features(text) {
  const found = words(text).flatMap((word) => {
    const marked = `^${word}$`;
    const trigrams = Array.from({ length: marked.length - 2 }, (_, start) => `g:${marked.slice(start, start + 3)}`);
    return [`w:${word}`, ...trigrams];
  });
  return found.length > 0 ? found : ['w:__hrr_empty__'];
}

/** The 128 angles of a feature: sixteen of each of eight hashes. */
function angles(feature) {
  const hashes = Array.from({ length: 8 }, (_, block) => createHash('sha256').update(`${feature}:${block}`).digest());
  const bytes = Buffer.concat(hashes);
  return Array.from({ length: PAIRS }, (_, pair) => (bytes.readUInt16LE(2 * pair) * 2 * Math.PI) / 65536);
}

export function embed(text) {
  const all = features(text).map(angles);
  const vector = Array.from({ length: PAIRS }, (_, pair) => {
    const sum = (part) => all.reduce((total, one) => total + part(one[pair]), 0);
    const mean = Math.atan2(sum(Math.sin), sum(Math.cos));
    return [Math.cos(mean), Math.sin(mean)];
  }).flat();
  const norm = Math.hypot(...vector);
  return vector.map((component) => component / norm);
}

export function cosine(one, other) {
  if (one.length !== other.length || one.length === 0) return 0;
  const dot = (a, b) => a.reduce((sum, component, place) => sum + component * b[place], 0);
  const norms = [one, other].map((vector) => Math.sqrt(dot(vector, vector)));
  return norms.includes(0) ? 0 : dot(one, other) / (norms[0] * norms[1]);
}

export const operations = {
  'tideline.features': ({ text }) => ({ features: words(text).length > 0 ? features(text) : [] }),
  'tideline.hrrEmbed': ({ text }) => ({ vector: embed(text) }),
  'tideline.hrrShape': ({ text }) => {
    const vector = embed(text);
    return { dimensions: vector.length, norm: Math.hypot(...vector) };
  },
  'tideline.textSimilarity': ({ a, b }) => ({ cosine: cosine(embed(a), embed(b)) }),
  'tideline.cosine': ({ a, b }) => {
    const value = cosine(a, b);
    return { cosine: Number.isNaN(value) ? 'NaN' : value };
  },
};
