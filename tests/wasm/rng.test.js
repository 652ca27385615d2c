import { beforeAll, describe, expect, test } from '@jest/globals';
import { floats, readGolden } from './golden.js';
import { loadEngine } from './load.js';

const GOLDEN = readGolden('rng');
const SEEDS = [0, 1, 99, 12345];
const SQRT_48 = Math.sqrt(48);

/** @type {any} */
let attn;

beforeAll(async () => {
  attn = (await loadEngine()).exports;
});

/**
 * Lends memory for n values of 4 bytes to a generator and reads what it wrote.
 *
 * @template {Float32Array | Int32Array | Uint32Array} A
 * @param {new (buffer: ArrayBuffer, offset: number, length: number) => A} Values
 * @param {number} n
 * @param {(address: number) => number} generate
 * @returns {A}
 */
function draw(Values, n, generate) {
  const address = attn.attn_alloc(4 * n);
  expect(generate(address)).toBe(0);
  const values = new Values(attn.memory.buffer, address, n).slice();
  attn.attn_free(address);
  return /** @type {A} */ (values);
}

describe.each(SEEDS)("PyTorch's generator, bit for bit, seed %i", (seed) => {
  const golden = GOLDEN[`seed_${seed}`];

  test('raw 32-bit numbers', () => {
    const values = draw(Uint32Array, 10, (address) => attn.attn_rng_u32(seed, address, 10));
    expect(values).toEqual(Uint32Array.from(golden.u32));
  });

  test.each([1, 5, 15, 16, 17, 24, 31, 32, 80, 100])('%i normal numbers', (n) => {
    const values = draw(Float32Array, n, (address) => attn.attn_rng_randn(seed, address, n));
    expect(values).toEqual(floats(golden[`randn_${n}`]));
  });

  test('uniform numbers', () => {
    const values = draw(Float32Array, 20, (address) => attn.attn_rng_rand(seed, address, 20));
    expect(values).toEqual(floats(golden.rand_20));
  });

  test.each([
    ['uniform_-0.3_0.7_20', -0.3, 0.7],
    ['uniform_-1/sqrt48_1/sqrt48_20', -1 / SQRT_48, 1 / SQRT_48],
  ])('%s', (name, low, high) => {
    const values = draw(Float32Array, 20, (address) =>
      attn.attn_rng_uniform(seed, low, high, address, 20),
    );
    expect(values).toEqual(floats(golden[name]));
  });

  test.each([
    ['randint_0_10_4x10', 10, 40],
    ['randint_0_7_20', 7, 20],
  ])('%s', (name, high, n) => {
    const values = draw(Int32Array, n, (address) =>
      attn.attn_rng_randint(seed, 0, high, address, n),
    );
    expect(values).toEqual(Int32Array.from(golden[name].data));
  });

  test('a small normal draw keeps its second value for the next', () => {
    const values = draw(Float32Array, 28, (address) => attn.attn_rng_sequence(seed, address));
    expect(values).toEqual(floats(golden.sequence.values));
  });
});
