// Runs an exported conformance corpus with vitest (or, with another import, node:test). `parity export` writes this file.
//
// Put it beside the module answer.mjs that answers a request:
//
//     export function answer(operation, request) { … }      // or async
//
// It returns a value for JSON. It throws an error whose `type` the specification names, or `UNSUPPORTED`, which skips the
// case. CONFORMANCE_CORPUS is the folder of the export (default: conformance, beside this file).

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { answer } from './answer.mjs';

const folder = process.env.CONFORMANCE_CORPUS ?? join(dirname(fileURLToPath(import.meta.url)), 'conformance');
const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const corpus = read('corpus.json');
if (corpus.format !== 1 || !corpus.files.length) {
  throw new Error(`corpus.json has format ${corpus.format} and ${corpus.files.length} files; format 1 and a case are needed`);
}

for (const { file, suite } of corpus.files.filter((one) => one.suite)) {
  describe(suite, () => {
    for (const one of read(file).cases) {
      const others = Object.entries(one.environment ?? {}).filter(([name, value]) => process.env[name] !== value);
      test.skipIf(others.length > 0)(one.name, async (context) => {
        const got = await response(one);
        if (got.error === 'UNSUPPORTED') return context.skip();
        const accepted = [one.expected, ...Object.values(one.readings ?? {})];
        const { rules = {} } = corpus.operations[one.operation];
        if (!accepted.some((wanted) => matches(wanted, got, rules))) expect(got).toEqual(one.expected);
      });
    }
  });
}

async function response({ operation, request }) {
  try {
    return { answer: JSON.parse(JSON.stringify(await answer(operation, request))) };
  } catch (error) {
    if (error?.type === undefined) throw error;
    return { error: error.type };
  }
}

function matches(wanted, got, rules) {
  if ('error' in wanted || 'error' in got) return wanted.error === got.error;
  const free = (wanted.free ?? []).map((place) => place.split('/').slice(1).map(unescaped));
  return equal(wanted.answer, got.answer, rules, free);
}

const unescaped = (token) => token.replaceAll('~1', '/').replaceAll('~0', '~');
const plain = (text) => text.toLowerCase().trim().split(/\s+/).join(' ');
const holds = (text, { $contains, $maxLength }) =>
  [...text].length <= $maxLength && $contains.some((one) => text.includes(plain(one)));
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Compares as the corpus demands; `free` are the paths below this place that may have any value, `*` for each one. */
function equal(wanted, got, rules = {}, free = []) {
  if (rules.ignored || free.some((path) => path.length === 0)) return true;
  const below = (token) => free.filter(([first]) => first === '*' || first === token).map((path) => path.slice(1));
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got) || wanted.length !== got.length) return false;
    if (!rules.unordered) return wanted.every((value, at) => equal(value, got[at], rules.items, below(String(at))));
    const left = [...got];
    return wanted.every((value) => {
      const found = left.findIndex((one) => equal(value, one, rules.items)); // enough unless tolerances overlap
      return found >= 0 && left.splice(found, 1);
    });
  }
  if (isObject(wanted)) {
    if (wanted.$contains) return typeof got === 'string' && holds(plain(got), wanted);
    if (!isObject(got)) return false;
    return [...new Set([...Object.keys(wanted), ...Object.keys(got)])].every((name) => {
      const rule = rules.properties?.[name] ?? {};
      const paths = below(name);
      if (rule.ignored || paths.some((path) => path.length === 0)) return true;
      if (!Object.hasOwn(wanted, name)) return rule.ifExpected === true;
      return Object.hasOwn(got, name) && equal(wanted[name], got[name], rule, paths);
    });
  }
  if (typeof wanted === 'number' && typeof got === 'number') return wanted === got || near(wanted, got, rules.tolerance);
  return wanted === got;
}

function near(wanted, got, tolerance) {
  if (!tolerance) return false;
  if ('absolute' in tolerance) return Math.abs(wanted - got) <= tolerance.absolute;
  const distance = rank(wanted) - rank(got);
  return (distance < 0n ? -distance : distance) <= BigInt(tolerance.ulps);
}

/** The place of a number among all doubles. */
function rank(number) {
  const bits = new BigInt64Array(new Float64Array([number]).buffer)[0];
  return bits < 0n ? -(2n ** 63n) - bits : bits;
}
