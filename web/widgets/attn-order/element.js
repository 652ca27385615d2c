import { ColourBar } from '../../charts/colour-bar.js';
import { HeatMap } from '../../charts/heatmap.js';
import { t } from '../../i18n/index.js';
import { FigureElement } from '../figure-element.js';
import { rangeOf, writeFixed, writeSmall } from '../numbers.js';
import {
  arrange,
  exchange,
  originalOrder,
  parseOrder,
  rowDifferences,
  SAME,
  SEQ_LEN,
  scoreDifference,
  shuffle,
  writeOrder,
} from './model.js';
import { CSS, MARKUP, N_SAMPLES, NETWORKS, SETTINGS } from './template.js';
import { TokenRow } from './token-row.js';

/** @import { Cell } from '../../charts/heatmap.js' */
/** @import { Tensor } from '../../engine/protocol.js' */
/** @import { EngineScope } from '../engine-scope.js' */
/** @import { FigureDefinition } from '../figure-element.js' */
/** @import { Order } from './model.js' */

/** @typedef {'att' | 'logits'} Layer */

/** @typedef {{order: string, layer: Layer, causal: boolean, sample: number, init_seed: number}} Settings */

/**
 * One network, with positions or without, reads the tokens in both orders.
 *
 * @typedef {Record<Layer, {before: Tensor, after: Tensor, differences: number[], largest: number}> & {scores: number}} Reading
 */

/** @typedef {{tokens: number[], order: Order, without: Reading, with: Reading}} Result */

/** A place of the maps: a token, wherever it stands, and a dimension. @typedef {{token: number, dimension: number}} Place */

const NAMES = /** @type {const} */ (['without', 'with']);

/**
 * The tokens change places: without positions every output goes with its token, with positions it
 * does not.
 *
 *     <attn-order></attn-order>
 *     <attn-order order="9123456780" layer="logits" sample="3"></attn-order>
 *
 * Attributes: `order`, at each place the original place of its token; `layer` drawn, `att` or
 * `logits`; `causal`; `sample`, which of the lesson's test sequences; `init-seed` of both networks.
 *
 * Events: those of FigureElement; `detail` adds the `tokens`, and by how much outputs differ at
 * most: `without`, `with` positions, and the `scores` without.
 *
 * @extends {FigureElement<Settings, Result>}
 */
export class AttnOrder extends FigureElement {
  /** @type {FigureDefinition} */
  static definition = {
    title: 'order.title',
    look: 'order.look',
    markup: MARKUP,
    css: CSS,
    settings: SETTINGS,
    sources: [
      () => import('../../sources/ops/attention.c?functions=attention_forward'),
      () => import('../../sources/nn/transformer.c?functions=add_positions+transformer_forward'),
    ],
  };

  /** @type {TokenRow | null} */
  #row = null;
  /** What the reader points at. @type {Place | null} */
  #place = null;
  /** The mask of the numbers drawn last. @type {boolean | null} */
  #causal = null;
  /** The reader has moved tokens, or changed the mask, and is told what came of it. */
  #asked = false;
  /** The numbers that were drawn last. @type {Result | null} */
  #drawn = null;

  build() {
    this.#row = new TokenRow(this.find('.tokens'), SEQ_LEN, (a, b) => {
      // Until there are numbers there are no tokens in the row, nor settings if they were refused.
      if (this.result) this.#arrange(exchange(this.#order, a, b));
    });
  }

  get #order() {
    return parseOrder(this.settings.order);
  }

  /** @param {Order} order */
  #arrange(order) {
    const text = writeOrder(order);
    if (text === this.settings.order) return;
    this.#asked = true;
    this.set('order', text);
  }

  /** @param {string} action */
  act(action) {
    if (action === 'shuffle') this.#arrange(shuffle(this.#order, Math.random));
    else if (action === 'restore') this.#arrange(originalOrder());
  }

  /**
   * @param {Settings} settings
   * @param {EngineScope} scope
   * @returns {Promise<Result>}
   */
  async compute({ order: text, causal, sample, init_seed }, scope) {
    const order = parseOrder(text);
    const [without, withPositions] = await Promise.all(
      [false, true].map((positions) =>
        scope.request('create', { config: { positions, causal, init_seed } }),
      ),
    );
    const { tokens: samples } = await scope.request('batch', {
      session: without.session,
      seed: Number(without.config.test_seed),
      n_sequences: N_SAMPLES,
    });
    const tokens = samples[sample - 1];
    const [first, second] = await Promise.all(
      [without, withPositions].map(({ session }) => read(scope, session, tokens, order)),
    );
    await Promise.all(
      [without, withPositions].map(({ session }) => scope.request('destroy', { session })),
    );
    return { tokens, order, without: first, with: second };
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  detail(result, { layer }) {
    return {
      tokens: result.tokens,
      without: result.without[layer].largest,
      with: result.with[layer].largest,
      scores: result.without.scores,
    };
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  draw(result, { layer, causal }) {
    const { tokens, order } = result;
    this.#row?.update(
      order.map((token, place) => ({
        text: String(tokens[token]),
        note: place === token ? String(place) : `${token} → ${place}`,
        label: t(place === token ? 'order.token' : 'order.token.moved', {
          digit: tokens[token],
          place,
          token,
        }),
        moved: place !== token,
      })),
    );
    for (const name of NAMES) {
      this.#drawLines(name, result, layer);
      this.#writeVerdict(name, result, layer);
      this.write(`.${name} .cell`, this.#cellText(result, result[name][layer]));
    }
    const { largest } = result.without[layer];
    const { scores } = result.without;
    this.write('[data-value=without]', writeDifference(largest));
    this.write('[data-value=with]', writeDifference(result.with[layer].largest));
    this.write(
      '[data-value=scores]',
      // What is hidden in one order and seen in the other differs without limit.
      causal ? t('order.masked') : scores === 0 ? t('order.exact') : writeDifference(scores),
    );
    const isMasked = causal && largest > SAME;
    this.write('.sense', t(isMasked ? 'order.sense.causal' : 'order.sense'));
    // While the numbers asked for are on their way, those before may be drawn again.
    if (result !== this.#drawn) {
      if (this.#causal !== causal) this.#asked ||= this.#causal !== null;
      this.#causal = causal;
      if (this.#asked) this.say(this.#answer(result, layer));
      this.#asked = false;
      this.#drawn = result;
    }
    this.drawParts(
      NAMES.flatMap((name) => {
        const max = rangeOf([result[name][layer].before, result[name][layer].after]);
        return [
          () => this.#drawMap(name, 'before', result, { layer, max }),
          () => this.#drawMap(name, 'after', result, { layer, max }),
          () => this.#drawBar(name, max),
        ];
      }),
    );
  }

  /** @param {'without' | 'with'} name @param {number} max */
  #drawBar(name, max) {
    const bar = this.chart(
      `${name} bar`,
      String(max),
      (theme) => new ColourBar(this.find(`.${name} .bar`), theme, { signed: true, max }),
    );
    bar.label = t('order.bar', { max });
  }

  /**
   * Which row is which token, and a line from every row to where it went.
   *
   * @param {'without' | 'with'} name
   * @param {Result} result
   * @param {Layer} layer
   */
  #drawLines(name, { tokens, order, [name]: reading }, layer) {
    const { differences } = reading[layer];
    const isMoved = (/** @type {number} */ token) => order[token] !== token;
    const createName = (/** @type {number} */ token) => {
      const [label, place] = [document.createElement('span'), document.createElement('sub')];
      place.textContent = String(token);
      label.append(String(tokens[token]), place);
      label.classList.toggle('moved', isMoved(token));
      return label;
    };
    this.find(`.${name} .old`).replaceChildren(...originalOrder().map(createName));
    this.find(`.${name} .new`).replaceChildren(...order.map(createName));
    const lines = order.map((token, place) => {
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      const [from, to] = [token + 0.5, place + 0.5];
      line.setAttribute('d', `M 0 ${from} C 0.5 ${from} 0.5 ${to} 1 ${to}`);
      line.classList.toggle('moved', isMoved(token));
      line.classList.toggle('different', differences[token] > SAME);
      return line;
    });
    this.find(`.${name} svg`).replaceChildren(...lines);
  }

  /**
   * @param {'without' | 'with'} name
   * @param {'before' | 'after'} side
   * @param {Result} result
   * @param {{layer: Layer, max: number}} options
   */
  #drawMap(name, side, { order, [name]: reading }, { layer, max }) {
    const values = reading[layer][side];
    const columns = values.shape[values.shape.length - 1];
    const map = this.chart(`${name} ${side}`, `${columns} ${max}`, (theme) => {
      return new HeatMap(
        this.find(`.${name} .${side}`),
        { rows: SEQ_LEN, columns, positions: false, signed: true, max },
        theme,
        (cell) => this.#point(side, cell),
      );
    });
    map.label = t('order.map.label', {
      network: t(NETWORKS[name]),
      side: t(side === 'before' ? 'order.before' : 'order.after'),
      columns,
    });
    const place = this.#place;
    const isShown = place !== null && place.dimension < columns;
    const row = side === 'before' ? place?.token : order.indexOf(place?.token ?? -1);
    const selected = isShown ? { row: Number(row), column: place.dimension } : null;
    map.update(values.data, { selected });
  }

  /** The same token and dimension is marked in all maps. @param {'before' | 'after'} side @param {Cell | null} cell */
  #point(side, cell) {
    const { order } = this.result ?? { order: originalOrder() };
    this.#place = cell && {
      token: side === 'before' ? cell.row : order[cell.row],
      dimension: cell.column,
    };
    this.redraw();
  }

  /**
   * @param {Result} result
   * @param {Reading[Layer]} reading
   */
  #cellText({ tokens, order }, { before, after }) {
    const columns = before.shape[before.shape.length - 1];
    const place = this.#place;
    if (!place || place.dimension >= columns) return '';
    const { token, dimension } = place;
    return t('order.cell', {
      digit: tokens[token],
      token,
      dimension,
      before: writeFixed(before.data[token * columns + dimension], 6),
      after: writeFixed(after.data[order.indexOf(token) * columns + dimension], 6),
    });
  }

  /**
   * @param {'without' | 'with'} name
   * @param {Result} result
   * @param {Layer} layer
   */
  #writeVerdict(name, { order, [name]: reading }, layer) {
    const isMoved = order.some((token, place) => token !== place);
    const n_same = countSame(reading[layer].differences);
    const key = n_same === SEQ_LEN ? 'order.all' : n_same === 0 ? 'order.none' : 'order.some';
    const verdict = this.find(`.${name} .verdict`);
    verdict.classList.toggle('good', isMoved && n_same === SEQ_LEN);
    verdict.classList.toggle('bad-text', n_same < SEQ_LEN);
    this.write(`.${name} .verdict`, t(isMoved ? key : 'order.same', { n: n_same }));
  }

  /**
   * @param {Result} result
   * @param {Layer} layer
   */
  #answer(result, layer) {
    const [without, withPositions] = NAMES.map((name) => result[name][layer]);
    return t('order.answer', {
      input: arrange(result.tokens, result.order).join(' '),
      without: countSame(without.differences),
      without_difference: writeDifference(without.largest),
      with: countSame(withPositions.differences),
      with_difference: writeDifference(withPositions.largest),
    });
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  tables(result, { layer }) {
    const { tokens, order } = result;
    /** @type {[string, ...string[]][]} */
    const rows = tokens.map((digit, token) => [
      t('order.table.token', { digit, token }),
      String(order.indexOf(token)),
      ...NAMES.map((name) => writeDifference(result[name][layer].differences[token])),
    ]);
    return [
      {
        caption: t('order.table', {
          layer: t(layer === 'att' ? 'order.layer.att' : 'order.layer.logits'),
        }),
        columns: [
          t('order.table.column.token'),
          t('order.table.column.place'),
          t('order.table.column.without'),
          t('order.table.column.with'),
        ],
        rows,
      },
    ];
  }
}

/** @param {number[]} differences */
function countSame(differences) {
  return differences.filter((difference) => difference <= SAME).length;
}

/** @param {number} difference */
function writeDifference(difference) {
  return difference <= SAME ? `${writeSmall(difference)} ✓` : `${writeFixed(difference, 3)} ✗`;
}

/**
 * @param {EngineScope} scope
 * @param {number} session
 * @param {number[]} tokens
 * @param {Order} order
 * @returns {Promise<Reading>}
 */
async function read(scope, session, tokens, order) {
  const names = ['att', 'logits', 'att.scores'];
  const [before, after] = await Promise.all(
    [tokens, arrange(tokens, order)].map((sequence) =>
      scope.request('predict', { session, tokens: sequence, names }),
    ),
  );
  const [att, logits] = [0, 1].map((i) => {
    const differences = rowDifferences(before.tensors[i], after.tensors[i], order);
    return {
      before: before.tensors[i],
      after: after.tensors[i],
      differences,
      largest: Math.max(...differences),
    };
  });
  return { att, logits, scores: scoreDifference(before.tensors[2], after.tensors[2], order) };
}

if (!customElements.get('attn-order')) customElements.define('attn-order', AttnOrder);
