// Runs JavaScript snippets, each in a new context with a time limit. Reads {limit, sources} from standard input; writes
// {printed, error} for each snippet, one a line: `printed` has the values of each console.log.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';

const { limit, sources } = JSON.parse(readFileSync(0, 'utf8'));
const require = createRequire(import.meta.url);

/** Values that JSON lacks, as texts. */
function plain(_name, value) {
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return String(value);
  return value;
}

for (const source of sources) {
  const printed = [];
  let error = null;
  try {
    const log = (...values) => printed.push(JSON.parse(JSON.stringify(values, plain)));
    vm.runInNewContext(source, { console: { log }, require, Buffer }, { timeout: limit * 1000 });
  } catch (reason) {
    error = String(reason);
  }
  process.stdout.write(`${JSON.stringify({ printed, error })}\n`);
}
