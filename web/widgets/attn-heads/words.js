/** What a test of heads has shown, in words decided by its numbers. */
import { t } from '../../i18n/index.js';
import { writeFixed } from '../numbers.js';
import { accuracy, DIVIDED, missedHeads } from './model.js';

/** @import { Metrics } from '../../engine/protocol.js' */
/** @import { Habits } from './model.js' */

/** The network with all heads, and without each. @typedef {{all: Metrics, without: Metrics[], habits: Habits}} Tested */

/** From this share of right digits on, heads do something that can be missed. */
const ABLE = 0.5;

/** @param {number} rate */
export function writeRate(rate) {
  return `${writeFixed(100 * rate, 1)}%`;
}

/**
 * @param {Tested} tested
 * @param {number} weight at 9 − i, of the first head
 */
export function verdictText({ all, without, habits }, weight) {
  const { distance, n_reversing } = habits;
  if (distance === null) {
    return t(n_reversing === 1 ? 'heads.one.reversing' : 'heads.one', {
      weight: writeFixed(weight, 2),
    });
  }
  const words = { n_heads: without.length, n_reversing, share: writeRate(distance) };
  const isDivided = distance >= DIVIDED;
  const first = t(isDivided ? 'heads.different' : 'heads.alike', words);
  // What nobody can do yet is not missed either.
  if (accuracy(all) < ABLE) return first + t('heads.not_yet');
  const isEnough = !isDivided && n_reversing > 0;
  return first + (isEnough ? t('heads.enough') : '') + missedText(all, without);
}

/**
 * @param {Metrics} all
 * @param {Metrics[]} without each head
 */
function missedText(all, without) {
  const { most, least, n_unmissed } = missedHeads(all, without);
  const [most_rate, least_rate] = [most, least].map((head) => writeRate(accuracy(without[head])));
  if (most_rate === least_rate) return t('heads.missed.equal', { rate: most_rate });
  const words = { most: most + 1, most_rate, least: least + 1, least_rate, n_unmissed };
  return t('heads.missed', words);
}
