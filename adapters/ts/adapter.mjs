// The protocol: JSON-RPC 2.0, one message a line, answered one after the other.

import { Console } from 'node:console';
import { malformed, OPERATIONS, UNOBSERVABLE } from './operations.mjs';
import { OutOfReach } from './reach.mjs';
import { implementation, installed, loadSdk, missing } from './sdk.mjs';

const write = process.stdout.write.bind(process.stdout);
// Whatever the SDK prints must not get between the messages.
process.stdout.write = process.stderr.write.bind(process.stderr);
globalThis.console = new Console(process.stderr, process.stderr);
// Nor may a promise that the SDK left behind end the process.
process.on('unhandledRejection', (reason) => console.error('unhandled rejection:', reason));

const sdk = await loadSdk();
const unsupported = Object.create(null);
for (const [name, { needs }] of Object.entries(OPERATIONS)) {
  const reason = missing(sdk, needs);
  if (reason !== undefined) unsupported[name] = reason;
}

function initialize() {
  const { v8, unicode, icu } = process.versions;
  const sqlite = installed('@sqlite.org/sqlite-wasm')?.manifest.version;
  return {
    protocolVersion: 1,
    implementation: implementation(),
    operations: Object.keys(OPERATIONS).filter((name) => !(name in unsupported)),
    unsupported,
    unobservable: UNOBSERVABLE,
    versions: { v8, unicode, icu, sqlite: `${sqlite} (WebAssembly)` },
  };
}

async function perform(method, params = {}) {
  if (method === 'initialize') return { result: initialize() };
  if (method === 'shutdown') return { result: {} };
  if (!Object.hasOwn(OPERATIONS, method) || method in unsupported) {
    return { error: { code: -32601, message: unsupported[method] ?? `no operation \`${method}\`` } };
  }
  const operation = OPERATIONS[method];
  const fault = malformed(operation, params);
  if (fault !== undefined) return { error: { code: -32602, message: fault } };
  return { result: await operation.answer(sdk, params) };
}

function failure(error) {
  const message = String(error?.message ?? error);
  if (error instanceof OutOfReach) return { code: -32001, message, data: { reason: message } };
  return { code: -32000, message, data: { type: 'unclassified', message, stack: error?.stack } };
}

/** A number that JSON has no word for must not become `null` on the way. */
function exact(_name, value) {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`the answer holds ${value}`);
  return value;
}

async function answer({ id, method, params }) {
  try {
    return JSON.stringify({ jsonrpc: '2.0', id, ...(await perform(method, params)) }, exact);
  } catch (error) {
    return JSON.stringify({ jsonrpc: '2.0', id, error: failure(error) });
  }
}

/** Lines end at LF alone: node:readline would also cut at U+2028. */
async function* lines(stream) {
  let rest = '';
  for await (const text of stream.setEncoding('utf8')) {
    const parts = (rest + text).split('\n');
    rest = parts.pop();
    yield* parts;
  }
  yield rest;
}

const unreadable = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'not a JSON object' } });

function read(line) {
  try {
    return Object(JSON.parse(line));
  } catch {
    return undefined;
  }
}

for await (const line of lines(process.stdin)) {
  if (line.trim() === '') continue;
  const message = read(line);
  write(`${message === undefined ? unreadable : await answer(message)}\n`);
  if (message?.method === 'shutdown') break;
}
// The SDK may have left a timer behind; everything is answered.
write('', () => process.exit(0));
