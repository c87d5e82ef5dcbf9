// The oracles as an adapter: a second derivation of the answers, written from the texts, the requirements and the adopted
// readings, and without a look at the reference. Each file `oracles/<system>/<section>.mjs` exports `operations`, from the
// name of an operation to its function of the request. A function throws `OutOfReach` for a request that the oracle does
// not cover.

import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { OutOfReach } from './out_of_reach.mjs';

const here = new URL('./', import.meta.url);
const operations = new Map();
for (const folder of readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  for (const file of readdirSync(new URL(`${folder.name}/`, here)).filter((name) => name.endsWith('.mjs')).sort()) {
    const section = await import(new URL(`${folder.name}/${file}`, here));
    for (const [name, operation] of Object.entries(section.operations ?? {})) operations.set(name, operation);
  }
}

function initialize() {
  const { v8, unicode } = process.versions;
  return {
    protocolVersion: 1,
    implementation: { name: 'oracles', version: '1', language: 'JavaScript', runtime: `Node.js ${process.version}` },
    operations: [...operations.keys()].sort(),
    versions: { v8, unicode },
  };
}

function reply(method, params) {
  if (method === 'initialize') return { result: initialize() };
  if (method === 'shutdown') return { result: {} };
  if (!operations.has(method)) return { error: { code: -32601, message: `no operation ${method}` } };
  try {
    return { result: operations.get(method)(params) };
  } catch (error) {
    if (error instanceof OutOfReach) {
      return { error: { code: -32001, message: error.message, data: { reason: error.message } } };
    }
    const data = { type: error.type ?? 'unclassified', message: String(error), stack: error.stack };
    return { error: { code: -32000, message: String(error), data } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const { id, method, params } = JSON.parse(line);
  const message = `${JSON.stringify({ jsonrpc: '2.0', id, ...reply(method, params) })}\n`;
  process.stdout.write(message, () => method === 'shutdown' && process.exit(0));
}
