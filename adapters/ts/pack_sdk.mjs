// Packs a working copy of the SDK, `node pack_sdk.mjs FOLDER ARCHIVE`: what its package.json exports is taken as
// it is where it is there and not older than `src`; else the package's own `build` script makes it first. The
// folder is a copy that belongs to this build, so it may be written to; it is removed in the end.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

// By lock file: how exactly what is locked is installed, scripts of dependencies never run.
const INSTALLS = {
  'bun.lock': ['bun', 'install', '--frozen-lockfile', '--ignore-scripts'],
  'bun.lockb': ['bun', 'install', '--frozen-lockfile', '--ignore-scripts'],
  'pnpm-lock.yaml': ['pnpm', 'install', '--frozen-lockfile', '--ignore-scripts'],
  'yarn.lock': ['yarn', 'install', '--immutable', '--mode=skip-build'],
  'npm-shrinkwrap.json': ['npm', 'ci', '--ignore-scripts'],
  'package-lock.json': ['npm', 'ci', '--ignore-scripts'],
};

// How to get the programs that do not come with Node.js.
const SOURCES = {
  bun: 'Install bun (https://bun.sh, or `npm install --global bun --allow-scripts=bun`)',
  pnpm: 'Install pnpm (https://pnpm.io, or `npm install --global pnpm`)',
  yarn: 'Install Yarn (https://yarnpkg.com, or `npm install --global yarn`)',
};

const BUILT = 'or build the working copy yourself';
const REMEDY = `Read its output above, ${BUILT}`;
const NO_LOCK_FILE =
  'No lock file lies in the folder or above it; a member of a workspace builds only inside a copy of the whole ' +
  `workspace. Name the folder inside such a copy, ${BUILT}`;

class Trouble extends Error {}

const [folder, archive] = process.argv.slice(2).map((argument) => resolve(argument));
const top = join(process.cwd(), 'sdk');
try {
  const { name, version, exports, main, scripts = {}, ...rest } = manifest();
  const wanted = [...targets(exports ?? main ?? './index.js')];
  const reason = unusable(wanted);
  if (reason !== undefined) build(reason, wanted, scripts, rest);
  console.log(`packing ${name} ${version}`);
  const [{ filename }] = JSON.parse(run(['npm', 'pack', '--json', '--ignore-scripts'], folder, { stdout: 'pipe' }));
  renameSync(join(folder, filename.replace('@', '').replace('/', '-')), archive);
  rmSync(top, { recursive: true });
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(`pack_sdk: ${error.message}`);
  process.exitCode = 1;
}

function manifest() {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch (error) {
    throw new Trouble(`its package.json cannot be read: ${error.message}`);
  }
}

/** The files that importing the package can lead to; types are for compilers, patterns name no file. */
function* targets(exported, condition) {
  if (typeof exported === 'string') {
    if (condition !== 'types' && !exported.includes('*')) yield exported;
  } else {
    for (const [key, value] of Object.entries(exported ?? {})) yield* targets(value, key);
  }
}

function missing(wanted) {
  return wanted.filter((target) => !existsSync(join(folder, target)));
}

/** Why what is there cannot be judged as it is; undefined if it can. */
function unusable(wanted) {
  const [absent] = missing(wanted);
  if (absent !== undefined) return `${absent} is not there`;
  const source = newest(join(folder, 'src'));
  const built = Math.min(...wanted.map((target) => statSync(join(folder, target)).mtimeMs));
  return source.time > built ? `${relative(folder, source.path)} is newer than what was built of it` : undefined;
}

function newest(path) {
  if (!existsSync(path)) return { path, time: -Infinity };
  if (!statSync(path).isDirectory()) return { path, time: statSync(path).mtimeMs };
  const found = readdirSync(path).map((name) => newest(join(path, name)));
  return found.reduce((last, one) => (one.time > last.time ? one : last), { path, time: -Infinity });
}

function build(reason, wanted, scripts, { dependencies, devDependencies }) {
  if (scripts.build === undefined) throw new Trouble(`${reason}, and its package.json has no build script`);
  console.log(`building the working copy: ${reason}`);
  const [lock, at] = lockFile();
  if (lock !== undefined) run(INSTALLS[lock], at, { why: `${lock} needs it` });
  else if (dependencies ?? devDependencies) run(['npm', 'install', '--ignore-scripts', '--no-package-lock'], folder);
  const remedy = lock === undefined ? NO_LOCK_FILE : undefined;
  run(['npm', 'run', '--ignore-scripts', 'build'], folder, { remedy }); // without its pre and post scripts
  const [absent] = missing(wanted);
  if (absent !== undefined) throw new Trouble(`its build script has run, and ${absent} is still not there`);
}

/** The lock file that binds the package, and the folder that it lies in: the package's own or a workspace's. */
function lockFile() {
  for (let at = folder; ; at = dirname(at)) {
    const lock = Object.keys(INSTALLS).find((name) => existsSync(join(at, name)));
    if (lock !== undefined) return [lock, at];
    if (at === top) return [];
  }
}

function run([command, ...words], cwd, { stdout = 'inherit', why, remedy = REMEDY } = {}) {
  try {
    return execFileSync(command, words, { cwd, stdio: ['ignore', stdout, 'inherit'], encoding: 'utf8' });
  } catch (error) {
    if (error.code !== 'ENOENT') throw new Trouble(`\`${[command, ...words].join(' ')}\` failed. ${remedy}`);
    const source = SOURCES[command] ?? `Install ${command}`;
    throw new Trouble(`${command} is not on PATH${why === undefined ? '' : `, and ${why}`}. ${source}, ${BUILT}`);
  }
}
