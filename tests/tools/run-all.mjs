/**
 * `make test`: every runner runs, whatever the one before it found, and the last line sums them up.
 * A build or a check counts as one test.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closingLine, sum, tallyJest, tallyTap } from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const N_JOBS = availableParallelism();
const TIME_LIMIT_MS = 20 * 60_000;

const BUILDS = ['packages', 'wasm', 'layers', 'native', 'dist'];
const CHECKS = [
  'check-format',
  'check-c-format',
  'check-types',
  'check-layers',
  'check-html',
  'check-tidy',
];

// A make inside a make would look for the outer one's job server.
const { MAKEFLAGS, MFLAGS, MAKELEVEL, ...environment } = process.env;

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{env?: Record<string, string>, shown?: boolean}} [options] shown: the output goes to the
 *   terminal as it comes and is not kept
 * @returns {Promise<{output: string, ended_well: boolean}>}
 */
function run(program, args, { env = {}, shown = false } = {}) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...environment, ...env },
      stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
      timeout: TIME_LIMIT_MS,
    });
    child.stdout?.on('data', (piece) => {
      output += piece;
    });
    child.stderr?.on('data', (piece) => {
      output += piece;
    });
    child.on('error', (error) => resolve({ output: `${error.message}\n`, ended_well: false }));
    child.on('close', (code) => resolve({ output, ended_well: code === 0 }));
  });
}

/**
 * @param {string} name
 * @param {Tally} tally
 * @param {string} output shown where something failed
 * @returns {Tally}
 */
function report(name, tally, output) {
  if (tally.failed > 0) process.stdout.write(output);
  console.log(`${tally.failed > 0 ? 'FAIL' : 'ok  '} ${name}: ${closingLine(tally)}`);
  return tally;
}

/** @param {string} target */
async function makeTarget(target) {
  const { output, ended_well } = await run('make', ['--keep-going', `--jobs=${N_JOBS}`, target]);
  const tally = { passed: Number(ended_well), failed: Number(!ended_well), skipped: 0 };
  return report(`make ${target}`, tally, output);
}

/** The cmocka programs of both compilers, as many at a time as there are processors. */
async function runPrograms() {
  const names = readdirSync(`${ROOT}tests/c`).filter((name) => /^test_.*\.c$/.test(name));
  const programs = names
    .flatMap((name) => ['gcc', 'clang'].map((compiler) => ({ compiler, name })))
    .map(({ compiler, name }) => `build/${compiler}-sanitized/tests/c/${name.slice(0, -2)}`);
  /** @type {Tally[]} */
  const tallies = [];
  const worker = async () => {
    for (let program = programs.shift(); program !== undefined; program = programs.shift()) {
      const env = { CMOCKA_MESSAGE_OUTPUT: 'TAP' };
      const { output, ended_well } = await run(`${ROOT}${program}`, [], { env });
      tallies.push(report(program, tallyTap(output, ended_well), output));
    }
  };
  await Promise.all(Array.from({ length: N_JOBS }, worker));
  return sum(tallies);
}

/** The browser of the tests: the variable CHROMIUM, or the first of the usual names on the PATH. */
function findChromium() {
  const folders = (environment.PATH ?? '').split(delimiter);
  const places = ['chromium', 'chromium-browser', 'google-chrome'].flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  );
  return environment.CHROMIUM ?? places.find(existsSync) ?? '';
}

/**
 * @param {string} name
 * @param {string[]} args
 */
async function runJest(name, args) {
  const file = `${ROOT}build/jest-${name}.json`;
  rmSync(file, { force: true });
  const { ended_well } = await run(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--no-warnings',
      'node_modules/jest/bin/jest.js',
      '--ci',
      '--config=tests/jest.config.mjs',
      '--json',
      `--outputFile=${file}`,
      ...args,
    ],
    { shown: true, env: { CHROMIUM: findChromium() } },
  );
  let tally;
  try {
    tally = tallyJest(JSON.parse(readFileSync(file, 'utf8')), ended_well);
  } catch {
    tally = tallyJest(undefined, ended_well);
  }
  return report(`jest ${name}`, tally, '');
}

const tallies = [];
for (const target of BUILDS) tallies.push(await makeTarget(target));
tallies.push(await runPrograms());
for (const target of CHECKS) tallies.push(await makeTarget(target));
tallies.push(await runJest('engine', [`--maxWorkers=${N_JOBS}`, 'tests/wasm', 'tests/web']));
tallies.push(await runJest('browser', ['--runInBand', 'tests/browser']));

const total = sum(tallies);
console.log(closingLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;
