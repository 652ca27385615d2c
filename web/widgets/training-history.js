/** @import { Metrics } from '../engine/protocol.js' */

/** @typedef {{x: number, y: number}} Point */

/**
 * What the network did with the first test sequence after one step: the attention weights of every layer,
 * (heads, T, T) each, and the tokens it answered.
 *
 * @typedef {{weights: Float32Array[], predicted: number[]}} Reading
 */

/** Enough for every step of the lesson's run many times over; a bound for runs of other sizes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * A training run as it happened: measurements of every step as curves, the test results, and the readings
 * of every step, or of every 2nd, 4th … once they would fill MAX_BYTES.
 */
export class TrainingHistory {
  /** Of each step's fresh training batch. @type {Point[]} */
  loss = [];
  /** @type {Point[]} */
  digits = [];
  /** @type {Point[]} */
  sequences = [];
  /** Of the test data. @type {Point[]} */
  testDigits = [];
  /** @type {Point[]} */
  testSequences = [];

  /** By step, ascending. @type {Metrics[]} */
  #evaluations = [];
  /** By step. @type {Map<number, Reading>} */
  #readings = new Map();
  /** @type {{step: number, reading: Reading} | undefined} */
  #latest;
  #stride = 1;
  #bytes = 0;
  #maxBytes;

  /** @param {number} [maxBytes] */
  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Updates made so far. */
  get step() {
    return this.loss.at(-1)?.x ?? 0;
  }

  /** The tests so far, by step. @returns {readonly Metrics[]} */
  get evaluations() {
    return this.#evaluations;
  }

  /** @param {Metrics} metrics */
  addStep({ step, loss, digits, n_digits, sequences, n_sequences }) {
    this.loss.push({ x: step, y: loss });
    this.digits.push({ x: step, y: digits / n_digits });
    this.sequences.push({ x: step, y: sequences / n_sequences });
  }

  /**
   * @param {number} step
   * @param {Reading} reading
   */
  addReading(step, reading) {
    this.#latest = { step, reading };
    if (step % this.#stride !== 0) return;
    this.#readings.set(step, reading);
    this.#bytes += byteLength(reading);
    while (this.#bytes > this.#maxBytes && this.#readings.size > 1) {
      this.#stride *= 2;
      for (const [kept, old] of this.#readings) {
        if (kept % this.#stride === 0) continue;
        this.#readings.delete(kept);
        this.#bytes -= byteLength(old);
      }
    }
  }

  /**
   * @param {number} step
   * @param {Metrics} metrics
   */
  addEvaluation(step, metrics) {
    this.#evaluations.push({ ...metrics, step });
    this.testDigits.push({ x: step, y: metrics.digits / metrics.n_digits });
    this.testSequences.push({ x: step, y: metrics.sequences / metrics.n_sequences });
  }

  /**
   * The loss on the batch of a step; step 0 has none.
   *
   * @param {number} step
   * @returns {number | undefined}
   */
  lossAt(step) {
    return this.loss[step - 1]?.y;
  }

  /**
   * The last test at or before a step.
   *
   * @param {number} step
   * @returns {Metrics | undefined}
   */
  evaluationAt(step) {
    return this.#evaluations.filter((evaluation) => evaluation.step <= step).at(-1);
  }

  /**
   * The last reading kept at or before a step, and its step.
   *
   * @param {number} step
   * @returns {{step: number, reading: Reading} | undefined}
   */
  readingAt(step) {
    if (this.#latest && this.#latest.step <= step) return this.#latest;
    for (let kept = step - (step % this.#stride); kept >= 0; kept -= this.#stride) {
      const reading = this.#readings.get(kept);
      if (reading) return { step: kept, reading };
    }
    return undefined;
  }
}

/** @param {Reading} reading */
function byteLength({ weights }) {
  return weights.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
