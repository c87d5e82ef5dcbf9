// The SDK, found by ordinary bare imports and looked at before it is used: an
// export that is not there makes an operation unsupported, never the adapter unusable.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const PACKAGE = '@jeffs-brain/memory';
const MODULES = ['query', 'retrieval', 'rerank'];
const FAILED = Symbol('why the module did not load');
const { resolve } = createRequire(import.meta.url);

/** Where Node finds a package, and its package.json; undefined when it is not installed. */
export function installed(name) {
  for (const folder of resolve.paths(name)) {
    const at = join(folder, name);
    try {
      return { at, manifest: JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) };
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}

/** The SDK's modules by short name, each a namespace or the reason why it does not load. */
export async function loadSdk() {
  const sdk = {};
  for (const module of MODULES) {
    try {
      sdk[module] = await import(`${PACKAGE}/${module}`);
    } catch (error) {
      sdk[module] = { [FAILED]: `\`${PACKAGE}/${module}\` does not load: ${error.code ?? error.message}` };
    }
  }
  return sdk;
}

/** Why these exports (module -> names) cannot be used; undefined when all are there. */
export function missing(sdk, exports) {
  for (const [module, names] of Object.entries(exports)) {
    if (sdk[module][FAILED] !== undefined) return sdk[module][FAILED];
    const absent = names.find((name) => sdk[module][name] === undefined);
    if (absent !== undefined) return `the SDK exports no \`${absent}\` from \`${PACKAGE}/${module}\``;
  }
  return undefined;
}

/** The implementation for `initialize`, read from the installed package. */
export function implementation() {
  const found = installed(PACKAGE);
  const version = found?.manifest.version ?? 'not installed';
  return {
    name: PACKAGE,
    version,
    language: 'TypeScript',
    runtime: `node ${process.versions.node}`,
    source: requestedVersion().startsWith('file:') ? 'a working copy' : `npm ${PACKAGE}@${version}`,
  };
}

/** The SDK that package.json pins: the release's version, or the archive of a working copy. */
function requestedVersion() {
  return JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).dependencies[PACKAGE];
}
