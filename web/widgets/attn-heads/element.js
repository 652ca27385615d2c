import { ColourBar } from '../../charts/colour-bar.js';
import { HeatMap } from '../../charts/heatmap.js';
import { percentOfMean } from '../../engine/index.js';
import { t } from '../../i18n/index.js';
import { FigureElement } from '../figure-element.js';
import { rangeOf, writeFixed } from '../numbers.js';
import {
  accuracy,
  D_MODEL,
  habitsOf,
  mapsOf,
  N_PAIRS,
  OFFSETS,
  peakOf,
  reversingWeight,
  SEQ_LEN,
  sharpnessOf,
  singleHead,
  targets,
  WIDTH,
} from './model.js';
import { CSS, HEADS, MARGINS, MARKUP, MOST_HEADS, RELATIONS, SETTINGS } from './template.js';
import { verdictText, writeRate } from './words.js';

/** @import { Cell, HeatMapOptions } from '../../charts/heatmap.js' */
/** @import { Config, Metrics, Tensor } from '../../engine/protocol.js' */
/** @import { MessageKey } from '../../i18n/index.js' */
/** @import { EngineScope } from '../engine-scope.js' */
/** @import { FigureDefinition } from '../figure-element.js' */
/** @import { Table } from '../figure-table.js' */
/** @import { Tested } from './words.js' */

/**
 * @typedef {object} Settings
 * @property {'made' | 'trained'} part
 * @property {number} row
 * @property {number} margin
 * @property {number} n_heads
 * @property {number} n_steps
 * @property {number} init_seed
 */

/** The heads that are made, at one margin. @typedef {{maps: Tensor[], single: Tensor}} Made */

/**
 * A network, and what is known of it at its present step.
 *
 * @typedef {object} Network
 * @property {number} session
 * @property {number} n_heads
 * @property {number} n_parameters
 * @property {Config} config complete
 * @property {number} step
 * @property {Set<number>} muted
 * @property {Tensor} weights of the lesson's first test sequence, (1, H, T, T)
 * @property {Tensor} concatenation the heads' outputs side by side, (1, T, D)
 * @property {Tensor} projection W_O as the lesson multiplies by it, (D, D)
 * @property {Tested | null} tested null while it is being trained
 * @property {Metrics | null} heard with those that are muted now
 */

/** Work on a network. @typedef {{stopped: boolean}} Run */

/** @typedef {{made: Map<number, Made>, networks: Map<number, Network>, samples: number[][]}} Result */

/** The lesson's test, and of it the sequences whose maps are compared. */
const TEST_SEED = 99;
const TEST_SEQUENCES = 2000;
const N_SAMPLES = 16;

/** Steps between two drawings. */
const CHUNK = 20;

/** What the lesson says of its one head: digits right, and the mean weight at 9 − i. */
const LESSON = { n_heads: 1, n_steps: 1500, accuracy: '100.0%', weight: '0.62' };

const DIGITS = Array.from({ length: SEQ_LEN }, (_, i) => String(i));

/**
 * Several heads: four that are made, each for one relation, and those of networks trained here.
 *
 *     <attn-heads></attn-heads>
 *     <attn-heads part="trained" n-heads="8" n-steps="300"></attn-heads>
 *
 * Attributes: `part` shown, `made` or `trained`; `row` and `margin` of the heads that are made;
 * `n-heads` (1, 2, 4, 8), `n-steps` and `init-seed` of the network.
 *
 * Events: those of FigureElement; `attn-step` while training, with `{n_heads, step}`; `attn-done`
 * when a network was tested, after its training or with heads switched off, with `muted` and
 * `accuracy` too, and after a training `without` each head and the `distance` of the maps. The
 * network that was last trained is in the page's registry while it does not change.
 *
 * @extends {FigureElement<Settings, Result>}
 */
export class AttnHeads extends FigureElement {
  /** @type {FigureDefinition} */
  static definition = {
    title: 'heads.title',
    look: 'heads.look',
    markup: MARKUP,
    css: CSS,
    settings: SETTINGS,
    sources: [
      () => import('../../sources/lesson/rotation.c?functions=rotation_map'),
      () =>
        import('../../sources/nn/multihead_attention.c?functions=multihead_attention_forward+mute'),
    ],
  };

  /** What keeps the network busy; a newer one takes over. @type {Run | null} */
  #run = null;
  /** The cell of a map by design that the reader points at. @type {{name: string, cell: Cell} | null} */
  #pointed = null;

  /**
   * @param {Settings} settings
   * @param {EngineScope} scope
   * @returns {Promise<Result>}
   */
  async compute({ init_seed }, scope) {
    const positions = await scope.request('positional', { seq_len: SEQ_LEN, d_model: D_MODEL });
    const rotations = await Promise.all(
      OFFSETS.map((k) => scope.request('rotation_matrix', { d_model: D_MODEL, k })),
    );
    /** @type {Result['made']} */
    const made = new Map();
    for (const margin of MARGINS) made.set(margin, await make(scope, positions, rotations, margin));
    /** @type {Result} */
    const result = { made, networks: new Map(), samples: [] };
    for (const n_heads of HEADS) {
      const created = await scope.request('create', { config: { n_heads, init_seed } });
      const { session, n_parameters } = created;
      if (result.samples.length === 0) {
        const wanted = { session, seed: TEST_SEED, n_sequences: N_SAMPLES };
        result.samples = (await scope.request('batch', wanted)).tokens;
      }
      result.networks.set(n_heads, {
        session,
        n_heads,
        n_parameters,
        config: created.config,
        step: 0,
        muted: new Set(),
        tested: null,
        heard: null,
        ...(await look(scope, session, result.samples[0])),
      });
    }
    return result;
  }

  /** @param {Result} result @param {Settings} settings */
  detail({ networks }, { n_heads }) {
    return { step: networkOf(networks, n_heads).step };
  }

  stop() {
    this.#run = null;
  }

  /** @param {string} action */
  act(action) {
    const [verb, head] = action.split(' ');
    if (action === 'made' || action === 'trained') this.set('part', action);
    else if (action === 'train') this.#train();
    else if (action === 'reset') this.#reset();
    else if (verb === 'mute') this.#mute(Number(head));
  }

  get #network() {
    return this.result && networkOf(this.result.networks, this.settings.n_heads);
  }

  /**
   * Work on the network that is shown, one at a time.
   *
   * @param {(scope: EngineScope, network: Network, run: Run) => Promise<void>} work
   */
  async #work(work) {
    const network = this.#network;
    if (!network || this.#run) return;
    const run = { stopped: false };
    this.#run = run;
    this.redraw();
    this.withdraw();
    await this.attempt((scope) => work(scope, network, run));
    if (this.#run !== run) return;
    this.#run = null;
    if (network.step > 0 && network.muted.size === 0) this.offer(network);
    this.redraw();
  }

  /** Trains, or ends the training; either way the network is tested then. */
  async #train() {
    if (this.#run) {
      this.#run.stopped = true;
      this.redraw();
      return;
    }
    await this.#work(async (scope, network, run) => {
      if (network.step >= this.settings.n_steps) await this.#renew(scope, network);
      for (const head of [...network.muted]) await hear(scope, network, head, true);
      network.tested = null;
      network.heard = null;
      const isWanted = () => !run.stopped && this.settings.n_heads === network.n_heads;
      while (isWanted() && network.step < this.settings.n_steps) {
        const n_steps = Math.min(CHUNK, this.settings.n_steps - network.step);
        await scope.request('step', { session: network.session, n_steps });
        network.step += n_steps;
        await this.#lookAgain(scope, network);
        this.redraw();
        this.report('attn-step', { n_heads: network.n_heads, step: network.step });
      }
      run.stopped = true;
      this.redraw();
      await this.#test(scope, network);
    });
  }

  /** @param {EngineScope} scope @param {Network} network */
  async #lookAgain(scope, network) {
    const { samples } = this.result ?? { samples: [[]] };
    Object.assign(network, await look(scope, network.session, samples[0]));
  }

  /**
   * The network as it is, and without each of its heads.
   *
   * @param {EngineScope} scope
   * @param {Network} network
   */
  async #test(scope, network) {
    const { session, n_heads, step } = network;
    const all = await evaluate(scope, session);
    /** @type {Metrics[]} */
    const without = [];
    for (let head = 0; head < n_heads; head++) {
      await hear(scope, network, head, false);
      without.push(await evaluate(scope, session));
      await hear(scope, network, head, true);
    }
    const weights = [];
    for (const tokens of this.result?.samples ?? []) {
      const names = ['att.weights'];
      weights.push((await scope.request('predict', { session, tokens, names })).tensors[0]);
    }
    await this.#lookAgain(scope, network);
    const habits = habitsOf(weights);
    network.tested = { all, without, habits };
    network.heard = all;
    this.say(this.#verdict(network));
    this.report('attn-done', {
      n_heads,
      step,
      muted: [],
      accuracy: accuracy(all),
      without: without.map(accuracy),
      ...habits,
    });
  }

  /** Silences a head, or lets it speak again. @param {number} head */
  async #mute(head) {
    await this.#work(async (scope, network) => {
      await hear(scope, network, head, network.muted.has(head));
      network.heard = await evaluate(scope, network.session);
      await this.#lookAgain(scope, network);
      const rate = accuracy(network.heard);
      this.say(t('heads.heard', { muted: writeHeads(network.muted), rate: writeRate(rate) }));
      const { n_heads, step, muted } = network;
      this.report('attn-done', { n_heads, step, muted: [...muted], accuracy: rate });
    });
  }

  /** Back to the network as it was before its first step. */
  async #reset() {
    await this.#work((scope, network) => this.#renew(scope, network));
  }

  /** @param {EngineScope} scope @param {Network} network */
  async #renew(scope, network) {
    const { n_heads, session } = network;
    const config = { n_heads, init_seed: this.settings.init_seed };
    await scope.request('destroy', { session });
    network.session = (await scope.request('create', { config })).session;
    Object.assign(network, { step: 0, muted: new Set(), tested: null, heard: null });
    await this.#lookAgain(scope, network);
  }

  /** @param {Result} result @param {Settings} settings */
  draw(result, settings) {
    for (const part of ['made', 'trained']) {
      const isShown = settings.part === part;
      this.find(`.part.${part}`).toggleAttribute('inert', !isShown);
      this.find(`[data-action=${part}]`).setAttribute('aria-pressed', String(isShown));
    }
    if (settings.part === 'made') this.#drawMade(result, settings);
    else this.#drawTrained(networkOf(result.networks, settings.n_heads), settings);
  }

  /** @param {Result} result @param {Settings} settings */
  #drawMade({ made }, { margin, row }) {
    const { maps, single } = madeAt(made, margin);
    const { places, together, alone } = targets(maps, single, row);
    for (const [h, { place, weight }] of places.entries()) {
      const text =
        place === null
          ? t('heads.place.none')
          : t('heads.place', {
              place,
              weight: writeFixed(weight, 3),
              alone: writeFixed(single.data[row * SEQ_LEN + place], 3),
            });
      this.write(`.places li:nth-child(${h + 1}) .place`, text);
    }
    this.write('[data-value=together]', writeFixed(together, 2));
    this.write('[data-value=alone]', writeFixed(alone, 2));
    this.drawParts([
      ...maps.map((map, h) => () => {
        const container = `.tile:nth-child(${h + 1}) > .made-map`;
        this.#drawMadeMap(`made ${h}`, container, RELATIONS[h], map, row);
      }),
      () => this.#drawMadeMap('single', '.single-map', 'heads.single', single, row),
      () => this.#bar('made', '.made-bar', { max: 1 }),
    ]);
  }

  /**
   * @param {string} name
   * @param {string} container
   * @param {MessageKey} title
   * @param {Tensor} weights
   * @param {number} row the query whose largest weight is marked; without one, what is pointed at
   */
  #drawMadeMap(name, container, title, { data }, row) {
    const labels = name === 'single' ? axes() : {};
    const options = { rows: SEQ_LEN, columns: SEQ_LEN, ...labels };
    const map = this.#map(name, container, options, (cell) => {
      this.#pointed = cell && { name, cell };
      if (cell) this.set('row', cell.row);
      else this.redraw();
    });
    map.label = t('heads.map.label', { name: t(title) });
    const column = peakOf(data, row);
    const { cell } = this.#pointed?.name === name ? this.#pointed : { cell: null };
    const pointed = cell?.row === row ? cell : null;
    map.update(data, { selected: column === null ? pointed : { row, column } });
  }

  /** @param {Network} network @param {Settings} settings */
  #drawTrained(network, settings) {
    const { n_heads, step, muted, tested, weights } = network;
    const isTraining = this.#run !== null && !this.#run.stopped;
    const isDone = step >= settings.n_steps;
    const train = /** @type {HTMLButtonElement} */ (this.find('[data-action=train]'));
    this.write('[data-action=train]', t(trainKey({ isTraining, isDone, step })));
    train.disabled = !isTraining && this.#run !== null;
    const reset = /** @type {HTMLButtonElement} */ (this.find('[data-action=reset]'));
    reset.disabled = this.#run !== null || step === 0;
    const progress = /** @type {HTMLProgressElement} */ (this.find('progress'));
    progress.value = Math.min(1, step / settings.n_steps);
    const n_steps = Math.max(settings.n_steps, step);
    this.write('[data-value=step]', t('heads.steps', { step, n_steps }));
    this.write('.maps-caption', t('heads.maps', { step }));

    this.find('.trained-tiles').dataset.heads = String(n_heads);
    for (let head = 0; head < MOST_HEADS; head++) this.#writeHead(head, network);
    this.#frameHeads(network);

    const { heard } = network;
    this.write('[data-value=accuracy]', heard ? writeRate(accuracy(heard)) : '–');
    const distance = tested?.habits.distance;
    this.write(
      '[data-value=distance]',
      typeof distance === 'number' ? writeFixed(distance, 2) : '–',
    );
    this.write('[data-value=parameters]', String(network.n_parameters));
    const busy = isTraining ? 'heads.untested' : 'heads.testing';
    // Where an error has ended the run there is nothing to say of it.
    const state = step === 0 ? 'heads.untrained' : this.#run && busy;
    const verdict = tested ? this.#verdict(network) : state ? t(state) : '';
    const silent = muted.size === 0 ? '' : t('heads.silent', { muted: writeHeads(muted) });
    this.write('.verdict', silent + verdict + this.#comparison(network, settings));
    this.drawParts([
      ...mapsOf(weights).map((map, head) => () => this.#drawHead(head, map, n_heads)),
      () => this.#bar('trained', '.trained-bar', { max: 1 }),
      () => this.#drawProduct('concatenation', network.concatenation),
      () => this.#drawProduct('projection', network.projection),
    ]);
  }

  /**
   * @param {number} head
   * @param {Network} network that may have fewer heads
   */
  #writeHead(head, { n_heads, muted, tested, step, weights }) {
    const tile = `.trained-tiles .tile:nth-child(${head + 1})`;
    this.find(tile).hidden = head >= n_heads;
    if (head >= n_heads) return;
    const name = t('heads.head', { head: head + 1 });
    const isMuted = muted.has(head);
    const word = t(isMuted ? 'heads.unmute' : 'heads.mute');
    const button = /** @type {HTMLButtonElement} */ (this.find(`${tile} button`));
    button.disabled = this.#run !== null || step === 0;
    button.setAttribute('aria-label', `${word} ${name}`);
    this.find(tile).classList.toggle('muted', isMuted);
    this.find(`${tile} .trained-map`).setAttribute('aria-label', name);
    this.write(`${tile} button`, word);
    this.write(`${tile} .name`, name);
    const weight = writeFixed(reversingWeight(mapsOf(weights)[head]), 2);
    this.write(`${tile} .reversing`, t('heads.reversing', { weight }));
    const rate = tested ? writeRate(accuracy(tested.without[head])) : '';
    this.write(`${tile} .without`, rate && t('heads.without', { rate }));
  }

  /**
   * @param {number} head
   * @param {Float32Array} values
   * @param {number} n_heads
   */
  #drawHead(head, values, n_heads) {
    const map = this.#map(
      `trained ${head}`,
      `.trained-tiles .tile:nth-child(${head + 1}) .trained-map`,
      { rows: SEQ_LEN, columns: SEQ_LEN, ...(n_heads <= 2 && axes()) },
    );
    map.label = t('heads.map.label', { name: t('heads.head', { head: head + 1 }) });
    map.update(values);
  }

  /** Frames the columns of the concatenation, and the rows of W_O, that belong to each head. @param {Network} network */
  #frameHeads({ n_heads }) {
    for (const name of ['concatenation', 'projection']) {
      const groups = this.find(`.${name} .groups`);
      if (groups.childElementCount === n_heads) continue;
      groups.replaceChildren(...Array.from({ length: n_heads }, createGroup));
    }
  }

  /**
   * @param {'concatenation' | 'projection'} name
   * @param {Tensor} tensor
   */
  #drawProduct(name, tensor) {
    const max = rangeOf([tensor]);
    const rows = name === 'projection' ? D_MODEL : SEQ_LEN;
    const options = { rows, columns: D_MODEL, signed: true, max };
    const map = this.#map(name, `.${name}-map`, options);
    map.label = t(name === 'projection' ? 'heads.projection' : 'heads.concatenation');
    map.update(tensor.data);
    this.#bar(name, `.${name}-bar`, { signed: true, max });
  }

  /**
   * @param {string} name
   * @param {string} container
   * @param {Pick<HeatMapOptions, 'rows' | 'columns' | 'rowLabels' | 'columnLabels' | 'signed' | 'max'>} options
   * @param {(cell: Cell | null) => void} [onSelect]
   */
  #map(name, container, options, onSelect) {
    const key = [options.rowLabels?.length ?? 0, options.max ?? 1].join();
    return this.chart(
      name,
      key,
      (theme) =>
        new HeatMap(this.find(container), { positions: false, ...options }, theme, onSelect),
    );
  }

  /** @param {string} name @param {string} container @param {{signed?: boolean, max: number}} options */
  #bar(name, container, options) {
    const bar = this.chart(
      `${name} bar`,
      String(options.max),
      (theme) => new ColourBar(this.find(container), theme, options),
    );
    bar.label = t(options.signed ? 'heads.bar.signed' : 'heads.bar', { max: options.max });
  }

  /**
   * Beside the lesson's number, where it has one.
   *
   * @param {Network} network
   * @param {Settings} settings
   */
  #comparison({ n_heads, step, tested, muted, weights }, { init_seed }) {
    const isLessons = n_heads === LESSON.n_heads && step === LESSON.n_steps && init_seed === 0;
    if (!tested || !isLessons || muted.size > 0) return '';
    const { digits, n_digits } = tested.all;
    const isSame =
      percentOfMean(digits, n_digits) === LESSON.accuracy &&
      reversingWeight(mapsOf(weights)[0]).toFixed(2) === LESSON.weight;
    return t(isSame ? 'heads.lesson.same' : 'heads.lesson', {
      accuracy: LESSON.accuracy,
      weight: LESSON.weight,
    });
  }

  /** @param {Network} network */
  #verdict({ tested, weights }) {
    return tested ? verdictText(tested, reversingWeight(mapsOf(weights)[0])) : '';
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   * @returns {Table[]}
   */
  tables({ made, networks }, { part, margin, row, n_heads }) {
    if (part === 'made') {
      const { maps, single } = madeAt(made, margin);
      const { places } = targets(maps, single, row);
      return [
        {
          caption: t('heads.table.made', { row }),
          columns: [
            t('heads.table.offset'),
            t('heads.table.dimensions'),
            t('heads.table.factor'),
            t('heads.table.place'),
            t('heads.table.weight'),
            t('heads.table.alone'),
          ],
          rows: places.map(({ place, weight }, h) => [
            String(OFFSETS[h]).replace('-', '−'),
            `${2 * N_PAIRS * h}–${2 * N_PAIRS * (h + 1) - 1}`,
            writeFixed(sharpnessOf(N_PAIRS * h, N_PAIRS, margin), 1),
            place === null ? '–' : String(place),
            place === null ? '–' : writeFixed(weight, 4),
            place === null ? '–' : writeFixed(single.data[row * SEQ_LEN + place], 4),
          ]),
        },
      ];
    }
    const { tested, weights, step } = networkOf(networks, n_heads);
    return [
      {
        caption: t('heads.table.trained', { n_heads, step }),
        columns: [t('heads.table.head'), t('heads.table.reversing'), t('heads.table.without')],
        rows: mapsOf(weights).map((map, head) => [
          String(head + 1),
          writeFixed(reversingWeight(map), 4),
          tested ? writeRate(accuracy(tested.without[head])) : '–',
        ]),
      },
    ];
  }
}

/** @param {{isTraining: boolean, isDone: boolean, step: number}} state */
function trainKey({ isTraining, isDone, step }) {
  if (isTraining) return 'heads.stop';
  if (isDone) return 'heads.again';
  return step === 0 ? 'heads.train' : 'heads.continue';
}

/** Queries down, keys to the right. */
function axes() {
  return { rowLabels: DIGITS, columnLabels: DIGITS };
}

/** @param {unknown} _ @param {number} head */
function createGroup(_, head) {
  const group = document.createElement('span');
  const name = document.createElement('b');
  name.textContent = String(head + 1);
  group.append(name);
  return group;
}

/** @param {Set<number>} heads */
function writeHeads(heads) {
  const numbers = [...heads].sort((a, b) => a - b).map((head) => String(head + 1));
  return numbers.length === 0 ? '–' : numbers.join(t('figure.join'));
}

/** @param {Map<number, Network>} networks @param {number} n_heads */
function networkOf(networks, n_heads) {
  const nearest = HEADS.filter((known) => known <= n_heads).pop() ?? HEADS[0];
  return /** @type {Network} */ (networks.get(nearest));
}

/** @param {Map<number, Made>} made @param {number} margin */
function madeAt(made, margin) {
  const nearest = MARGINS.filter((known) => known <= margin).pop() ?? MARGINS[0];
  return /** @type {Made} */ (made.get(nearest));
}

/**
 * @param {EngineScope} scope
 * @param {Tensor} positions
 * @param {Tensor[]} rotations
 * @param {number} margin
 * @returns {Promise<Made>}
 */
async function make(scope, positions, rotations, margin) {
  const maps = await Promise.all(
    OFFSETS.map((k, h) =>
      scope.request('rotation_map', {
        seq_len: SEQ_LEN,
        d_model: D_MODEL,
        first_pair: N_PAIRS * h,
        n_pairs: N_PAIRS,
        k,
        sharpness: sharpnessOf(N_PAIRS * h, N_PAIRS, margin),
      }),
    ),
  );
  const { query, key } = singleHead(positions, rotations, margin);
  const scale = 1 / Math.sqrt(WIDTH);
  const { weights } = await scope.request('attention', {
    query,
    key,
    value: key,
    scale,
    causal: false,
  });
  return { maps, single: weights };
}

/**
 * @param {EngineScope} scope
 * @param {number} session
 * @param {number[]} tokens
 */
async function look(scope, session, tokens) {
  const names = ['att.weights', 'att.heads'];
  const [{ tensors }, stored] = await Promise.all([
    scope.request('predict', { session, tokens, names }),
    scope.request('tensor', { session, name: 'att.out_proj.weight' }),
  ]);
  return { weights: tensors[0], concatenation: tensors[1], projection: transposed(stored) };
}

/** PyTorch keeps the matrix that multiplies columns; the lesson's W_O multiplies rows. @param {Tensor} tensor */
function transposed({ shape: [rows, columns], data }) {
  const turned = new Float32Array(data.length);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) turned[j * rows + i] = data[i * columns + j];
  }
  return { shape: [columns, rows], data: turned };
}

/** @param {EngineScope} scope @param {number} session */
async function evaluate(scope, session) {
  const wanted = { session, seed: TEST_SEED, n_sequences: TEST_SEQUENCES };
  return (await scope.request('evaluate', wanted)).metrics;
}

/**
 * @param {EngineScope} scope
 * @param {Network} network
 * @param {number} head
 * @param {boolean} isHeard
 */
async function hear(scope, network, head, isHeard) {
  const { session, muted } = network;
  await scope.request('mute_head', { session, layer: 0, head, muted: !isHeard });
  if (isHeard) muted.delete(head);
  else muted.add(head);
}

if (!customElements.get('attn-heads')) customElements.define('attn-heads', AttnHeads);
