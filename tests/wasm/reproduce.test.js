import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Engine } from '../../web/engine/engine.js';
import { loadWasm } from '../../web/engine/wasm.js';
import {
  attentionCheck,
  parseSeed,
  readRecorded,
  remark,
  reverseSequence,
} from '../../web/reproduce.mjs';
import { floats, largestDifference, readGolden, TOLERANCE } from './golden.js';
import { readBuild } from './load.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RECORDED = `${ROOT}tests/golden`;
const LESSON = new URL('../../web/lesson/source/lesson.zh-Hant.txt', import.meta.url);
const SEED_7 = readGolden('seed_7');

/** @type {string} */
let folder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reproduce-'));
});

afterAll(() => rm(folder, { recursive: true }));

/**
 * @param {...string} args
 * @returns {Promise<string[]>} the lines it prints
 */
async function reproduce(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    `${ROOT}web/reproduce.mjs`,
    ...args,
  ]);
  expect(stdout.endsWith('\n')).toBe(true);
  return stdout.slice(0, -1).split('\n');
}

/** The outputs printed in the lesson, all 13 lines. */
async function lessonLines() {
  const lines = (await readFile(LESSON, 'utf8')).split('\n');
  const starts = lines.flatMap((line, i) => (line === '實際執行的輸出：' ? [i + 2] : []));
  expect(starts).toHaveLength(2);
  const [check, reverse] = starts.map((start) => lines.slice(start, lines.indexOf('', start)));
  return [...check, ...reverse];
}

/**
 * The last digits of the BiLSTM's line are rounding noise: words and parameters must be the same,
 * the accuracies within 0.2 and 1.0 percentage points.
 *
 * @param {string} ours
 * @param {string} theirs
 */
function expectNearLstmLine(ours, theirs) {
  const percentages = (/** @type {string} */ line) =>
    [...line.matchAll(/(\d+\.\d)%/g)].map((match) => Number(match[1]));
  const words = (/** @type {string} */ line) => line.replace(/\d+\.\d%/g, '%');
  expect(words(ours)).toBe(words(theirs));
  const [[digits, sequences], [their_digits, their_sequences]] = [ours, theirs].map(percentages);
  expect(Math.abs(digits - their_digits)).toBeLessThanOrEqual(0.2);
  expect(Math.abs(sequences - their_sequences)).toBeLessThanOrEqual(1.0);
}

test('prints the lines of the lesson, and writes its file', async () => {
  const out = join(folder, 'build', 'reverse_seq.json');
  const lines = await reproduce('--recorded', RECORDED, '--out', out);
  const lesson = await lessonLines();
  expect(lines).toHaveLength(13);
  expect(lines.slice(0, 12)).toEqual(lesson.slice(0, 12));
  expectNearLstmLine(lines[12], lesson[12]);

  const golden = readGolden('final').transformer;
  const text = await readFile(out, 'utf8');
  const { att, x, ...rest } = JSON.parse(text);
  expect(rest).toEqual({});
  expect(x).toEqual(golden.x.data);
  expect(att.map((/** @type {number[]} */ row) => row.length)).toEqual(Array(10).fill(10));
  expect(largestDifference(att.flat(), floats(golden.att))).toBeLessThanOrEqual(TOLERANCE.map);
  expect(text).toMatch(/^\{"att": \[\[0\.\d+(, \d\.[\de-]+)*\](, \[[^\]]*\]){9}\], "x": \[1, 9, /);
});

test('prints what PyTorch printed for seed 7', async () => {
  const lines = await reproduce('--recorded', RECORDED, '--seed', '7');
  const [transformer, lstm] = SEED_7.reverse_seq.printed;
  expect(lines.slice(0, 12)).toEqual([...SEED_7.attention_check.printed, transformer]);
  expect(lines).toHaveLength(13);
  expectNearLstmLine(lines[12], lstm);
  expect(lines.slice(0, 12)).not.toEqual((await lessonLines()).slice(0, 12));
});

test('says so where PyTorch was not recorded', async () => {
  const { exports, simd } = await loadWasm(readBuild);
  const engine = new Engine({ exports, simd });
  const recorded = readRecorded(RECORDED, 8);
  expect(recorded).toBe(null);
  expect(attentionCheck(engine, 8, recorded).slice(0, 2)).toEqual([
    '自己寫的 = PyTorch 內建： 沒有 PyTorch 的紀錄',
    '因果遮罩也相同： 沒有 PyTorch 的紀錄',
  ]);
});

test('says False where our output is not the recorded one', async () => {
  const { exports, simd } = await loadWasm(readBuild);
  const engine = new Engine({ exports, simd });
  const [ours, other] = [0, 7].map((seed) => readRecorded(RECORDED, seed));
  expect(attentionCheck(engine, 0, ours).slice(0, 2)).toEqual([
    '自己寫的 = PyTorch 內建： True',
    '因果遮罩也相同： True',
  ]);
  expect(attentionCheck(engine, 0, other).slice(0, 2)).toEqual([
    '自己寫的 = PyTorch 內建： False',
    '因果遮罩也相同： False',
  ]);
});

test('one corrupted parameter of the trained network changes line and map', async () => {
  const { exports, simd } = await loadWasm(readBuild);
  const printed = (await lessonLines())[11];

  class CorruptedEngine extends Engine {
    /** @param {Parameters<Engine['step']>[0]} args */
    step(args) {
      const trained = super.step(args);
      const { offset } = tensorPlaces(exports, args.session)['emb.weight'];
      new DataView(exports.memory.buffer).setFloat32(offset, 100, true);
      return trained;
    }
  }
  const { line, json } = reverseSequence(new CorruptedEngine({ exports, simd }), 0);
  expect(line).toMatch(/^Transformer：參數 {2}9194，每個數字的正確率 \d+\.\d%，整串全對 \d+\.\d%$/);
  expect(line).not.toBe(printed);
  const { att } = JSON.parse(json);
  const golden = floats(readGolden('final').transformer.att);
  expect(largestDifference(att.flat(), golden)).toBeGreaterThan(TOLERANCE.map);
});

/** @param {any} exports @param {number} session @returns {Record<string, {offset: number}>} */
function tensorPlaces(exports, session) {
  const address = exports.attn_session_tensors_json(session);
  const memory = new Uint8Array(exports.memory.buffer);
  const text = new TextDecoder().decode(memory.slice(address, memory.indexOf(0, address)));
  const { tensors } = JSON.parse(text);
  return Object.fromEntries(tensors.map((/** @type {any} */ tensor) => [tensor.name, tensor]));
}

test("the remark on the BiLSTM's last digit gives numbers for the measured seed alone", () => {
  expect(remark(0)).toContain('95.0%–95.1%');
  expect(remark(7)).toContain('捨入雜訊');
  expect(remark(7)).not.toMatch(/%/);
});

describe('a seed', () => {
  test.each([
    ['0', 0],
    ['7', 7],
    ['-1', 2 ** 32 - 1],
    ['4294967296', 0],
    ['18446744073709551623', 7],
  ])('%s is the one whose low 32 bits it has, as in PyTorch', (text, seed) => {
    expect(parseSeed(text)).toBe(seed);
  });

  test.each(['seven', '', ' ', '7.0', '1e3', '０', '0x7', '--', "7'"])('%j is refused', (text) => {
    expect(() => parseSeed(text)).toThrow();
  });

  test('that is no integer is refused in one line, without a trace', async () => {
    await expect(reproduce('--seed=seven')).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: "reproduce: --seed needs an integer, not 'seven'\n",
    });
  });

  test.each(['-1', 'two words', ''])('%j comes from make as it was given', async (seed) => {
    const args = ['--dry-run', 'reproduce', `SEED=${seed}`];
    const { stdout } = await promisify(execFile)('make', args, { cwd: ROOT });
    expect(stdout).toContain(`web/reproduce.mjs --seed='${seed}' --recorded`);
  });
});
