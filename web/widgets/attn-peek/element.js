import { BarChart } from '../../charts/bar-chart.js';
import { ColourBar } from '../../charts/colour-bar.js';
import { HeatMap } from '../../charts/heatmap.js';
import { LineChart } from '../../charts/line-chart.js';
import { t } from '../../i18n/index.js';
import { curveRows, toCsv } from '../download-panel.js';
import { prefersReducedMotion } from '../figure.js';
import { FigureElement } from '../figure-element.js';
import { readSettings } from '../figure-settings.js';
import {
  barsOf,
  innerMean,
  isTestStep,
  longestPeriod,
  maskedFloor,
  NEAR,
  nextPiece,
  positionFloors,
  TEST_SEQUENCES,
  VOCAB_SIZE,
  verdict,
} from './model.js';
import { CSS, MARKUP, SETTINGS } from './template.js';

/** @import { Cell } from '../../charts/heatmap.js' */
/** @import { Point } from '../../charts/line-chart.js' */
/** @import { Config, Metrics } from '../../engine/protocol.js' */
/** @import { EngineScope } from '../engine-scope.js' */
/** @import { FigureDefinition } from '../figure-element.js' */
/** @import { Table } from '../figure-table.js' */

/** @typedef {{period: number, n_steps: number, seq_len: number, init_seed: number}} Settings */

/**
 * One of the two networks, and what was measured of it.
 *
 * @typedef {object} Network
 * @property {'free' | 'masked'} name
 * @property {number} session
 * @property {Config} config
 * @property {Point[]} losses over positions 0 … L − 2 of each training batch
 * @property {Point[]} tests the same of the tests
 * @property {Metrics} test the last
 * @property {Float32Array} weights (L, L) for the first test sequence
 */

/**
 * @typedef {object} Run
 * @property {[free: Network, masked: Network]} networks
 * @property {{tokens: number[], targets: number[]}} sample the first test sequence
 * @property {number} step updates made
 * @property {number} tested step of the last test
 * @property {number} ms_per_step 0: not yet known
 */

/** How often training is drawn, ms, and for those who asked for less motion. */
const DRAW_INTERVAL = 150;
const CALM_INTERVAL = 1000;

/** @param {number} loss */
const writeLoss = (loss) => loss.toFixed(3);

/**
 * Trains two equal networks to tell the next digit, one of them with the causal mask, on the same
 * data: without the mask the answer stands in the input.
 *
 *     <attn-peek></attn-peek>
 *     <attn-peek period="3" n-steps="800" seq-len="12" init-seed="1"></attn-peek>
 *
 * Attributes: `period`, after how many digits a sequence repeats (0: every digit is random);
 * `n-steps`, how long to train; `seq-len`; `init-seed`. Networks and training are else the lesson's.
 *
 * Events: those of FigureElement, and `attn-step` (both were trained further) and `attn-done`
 * (`n-steps` reached); `detail` adds `step` and, of the last test, `free`, `masked` and `floor`:
 * the losses over positions 0 … L − 2 and the least possible with the mask. Between training the
 * masked network is in the page's registry.
 *
 * @extends {FigureElement<Settings, Run>}
 */
export class AttnPeek extends FigureElement {
  /** @type {FigureDefinition} */
  static definition = {
    title: 'peek.title',
    look: 'peek.look',
    markup: MARKUP,
    css: CSS,
    settings: SETTINGS,
    sources: [
      () => import('../../sources/train/task.c?functions=task_draw_next'),
      () => import('../../sources/ops/attention.c?functions=visible_keys+attention_forward'),
      () => import('../../sources/ops/cross_entropy.c?functions=cross_entropy_forward'),
    ],
    downloads: true,
  };

  #playing = false;
  /** Training, or ending it with a test. */
  #busy = false;
  /** The training under way, or the last. @type {Promise<void>} */
  #work = Promise.resolve();
  /** When training was last drawn, ms. */
  #drawn = 0;
  /** The cell the reader points at. @type {{name: 'free' | 'masked', cell: Cell} | null} */
  #pointed = null;

  attributeChangedCallback() {
    // After all attributes that change together, and before the figure reads them.
    queueMicrotask(() => this.#shortenPeriod());
    super.attributeChangedCallback();
  }

  /** A pattern that was set for a longer sequence becomes the longest there is. */
  #shortenPeriod() {
    try {
      const { period, seq_len } = readSettings(SETTINGS, (name) => this.getAttribute(name));
      const longest = longestPeriod(Number(seq_len));
      if (Number(period) > longest) this.set('period', longest);
    } catch {
      // The figure meets the same error and shows it.
    }
  }

  /**
   * @param {Settings} settings
   * @param {EngineScope} scope
   * @returns {Promise<Run>}
   */
  async compute({ period, seq_len, init_seed }, scope) {
    const create = async (/** @type {'free' | 'masked'} */ name) => {
      const causal = name === 'masked';
      const { session, config } = await scope.request('create', {
        config: { task: 'next_token', period, seq_len, init_seed, causal },
      });
      return { name, session, config };
    };
    const pair = await Promise.all([create('free'), create('masked')]);
    const [{ session, config }] = pair;
    const seed = Number(config.test_seed);
    const { tokens, targets } = await scope.request('batch', { session, seed, n_sequences: 1 });
    const sample = { tokens: tokens[0], targets: targets[0] };
    const begin = async (/** @type {(typeof pair)[0]} */ made) => {
      /** @type {Network} */
      const network = { ...made, losses: [], tests: [], test: noTest, weights: noWeights };
      await this.#test(network, 0, scope);
      await this.#look(network, sample.tokens, scope);
      return network;
    };
    const networks = await Promise.all([begin(pair[0]), begin(pair[1])]);
    this.#pointed = null;
    return { networks, sample, step: 0, tested: 0, ms_per_step: 0 };
  }

  /**
   * @param {Run} run
   * @param {Settings} settings
   */
  detail(run, settings) {
    return { step: run.step, ...lossesOf(run, settings) };
  }

  /**
   * The last step and its test are still under way: the press waits for them, and ends with them
   * where their numbers are gone.
   *
   * @param {string} action
   */
  async #actLater(action) {
    await this.attempt(async (scope) => {
      await this.#work;
      scope.check();
      this.act(action);
    });
  }

  /** @param {string} action */
  act(action) {
    const run = this.result;
    if (!run) return;
    if (action === 'reset') this.computeAnew();
    if (action !== 'single' && action !== 'train') return;
    if (this.#busy && !this.#playing) {
      this.#actLater(action);
      return;
    }
    if (action === 'single') {
      if (this.#busy || run.step >= this.settings.n_steps) return;
      this.#work = this.attempt((scope) => this.#train(run, scope, 1));
      return;
    }
    if (this.#playing) {
      this.#playing = false;
    } else if (!this.#busy && run.step >= this.settings.n_steps) {
      this.computeAnew('train');
    } else if (!this.#busy) {
      this.#playing = true;
      this.#work = this.attempt((scope) => this.#train(run, scope, Number.POSITIVE_INFINITY));
    }
    this.redraw();
  }

  stop() {
    this.#playing = false;
    this.#busy = false;
  }

  /**
   * Trains both networks in step, with one request of each under way: `most` steps, or on until
   * the reader pauses or the end is reached. Then tests them.
   *
   * @param {Run} run
   * @param {EngineScope} scope
   * @param {number} most
   */
  async #train(run, scope, most) {
    this.withdraw();
    this.#busy = true;
    try {
      for (const start = run.step; run.step < start + most; ) {
        const { n_steps } = this.settings;
        if (most !== 1 && (!this.#playing || run.step >= n_steps)) break;
        await this.#advance(run, scope, most === 1 ? 1 : nextPiece({ ...run, n_steps }));
        this.#redrawSometimes();
        this.report('attn-step', this.detail(run, this.settings));
      }
      if (run.tested !== run.step) await this.#testBoth(run, scope);
    } finally {
      if (!scope.ended) {
        this.#playing = false;
        this.#busy = false;
      }
    }
    const [, { session, config }] = run.networks;
    this.offer({ session, config, step: run.step });
    this.redraw();
    if (run.step < this.settings.n_steps) return;
    const { free, masked, floor } = lossesOf(run, this.settings);
    const [last, ...losses] = [this.settings.seq_len - 2, free, masked, floor];
    const [freeText, maskedText, floorText] = losses.map(writeLoss);
    this.say(
      t('peek.finished', {
        step: run.step,
        last,
        free: freeText,
        masked: maskedText,
        floor: floorText,
      }),
    );
    this.report('attn-done', this.detail(run, this.settings));
  }

  /** While training: so seldom that every part of a drawing has its frame. */
  #redrawSometimes() {
    const now = performance.now();
    if (now - this.#drawn < (prefersReducedMotion() ? CALM_INTERVAL : DRAW_INTERVAL)) return;
    this.#drawn = now;
    this.redraw();
  }

  /**
   * @param {Run} run
   * @param {EngineScope} scope
   * @param {number} n_steps
   */
  async #advance(run, scope, n_steps) {
    const { seq_len } = this.settings;
    const start = performance.now();
    await Promise.all(
      run.networks.map(async (network) => {
        const { session } = network;
        const { metrics } = await scope.request('step', { session, n_steps });
        for (const { step, position_loss } of metrics) {
          network.losses.push({ x: step, y: innerMean(position_loss, seq_len) });
        }
        await this.#look(network, run.sample.tokens, scope);
      }),
    );
    run.step += n_steps;
    run.ms_per_step = (performance.now() - start) / n_steps;
    if (isTestStep({ step: run.step, n_steps: this.settings.n_steps })) {
      await this.#testBoth(run, scope);
    }
  }

  /** @param {Run} run @param {EngineScope} scope */
  async #testBoth(run, scope) {
    await Promise.all(run.networks.map((network) => this.#test(network, run.step, scope)));
    run.tested = run.step;
  }

  /**
   * @param {Network} network
   * @param {number} step
   * @param {EngineScope} scope
   */
  async #test(network, step, scope) {
    const { session, config } = network;
    const { metrics } = await scope.request('evaluate', {
      session,
      seed: Number(config.test_seed),
      n_sequences: TEST_SEQUENCES,
    });
    network.test = metrics;
    network.tests.push({ x: step, y: innerMean(metrics.position_loss, Number(config.seq_len)) });
  }

  /**
   * Where the network looks in the test sequence.
   *
   * @param {Network} network
   * @param {number[]} tokens
   * @param {EngineScope} scope
   */
  async #look(network, tokens, scope) {
    const { session } = network;
    const names = ['att.weights'];
    const { tensors } = await scope.request('predict', { session, tokens, names });
    network.weights = tensors[0].data;
  }

  /**
   * @param {Run} run
   * @param {Settings} settings
   */
  draw(run, settings) {
    this.bound('period', longestPeriod(settings.seq_len));
    this.#drawControls(run, settings);
    this.#drawReadout(run, settings);
    this.#drawCell(run);
    const [free, masked] = run.networks;
    this.drawParts([
      () => this.#drawCurves(run, settings),
      () => this.#drawMap(free, run, settings),
      () => this.#drawMap(masked, run, settings),
      () => this.#drawBars(run, settings),
      () => {
        const bar = this.chart('bar', '', (theme) => new ColourBar(this.find('.bar'), theme));
        bar.label = t('peek.bar');
      },
    ]);
  }

  /**
   * @param {Run} run
   * @param {Settings} settings
   */
  #drawControls({ step }, { n_steps }) {
    const isDone = step >= n_steps;
    const words = this.#playing
      ? t('peek.pause')
      : isDone
        ? t('peek.again')
        : t(step > 0 ? 'peek.continue' : 'peek.train');
    this.write('[data-action=train]', words);
    /** @type {HTMLButtonElement} */ (this.find('[data-action=single]')).disabled =
      this.#playing || isDone;
    this.write('.progress output', t('peek.steps', { step, n_steps: Math.max(n_steps, step) }));
    /** @type {HTMLProgressElement} */ (this.find('progress')).value = Math.min(1, step / n_steps);
  }

  /**
   * @param {Run} run
   * @param {Settings} settings
   */
  #drawCurves(run, settings) {
    const { seq_len } = settings;
    const { free, masked, floor } = lossesOf(run, settings);
    const xMax = Math.max(settings.n_steps, run.step);
    this.write('.curves-caption', t('peek.curves', { last: seq_len - 2 }));
    const value = writeLoss(floor);
    const chart = this.chart(
      'curves',
      [xMax, floor].join(),
      (theme) =>
        new LineChart(
          this.find('.curves'),
          {
            xTitle: t('peek.x'),
            xMax,
            panels: [
              {
                id: 'loss',
                title: t('peek.loss'),
                min: 0,
                suggestedMax: 2.5,
                format: (loss) => String(loss),
              },
            ],
            series: [
              { label: t('peek.free'), panel: 'loss', colour: 'key', dash: [5, 3] },
              { label: t('peek.masked'), panel: 'loss', colour: 'query' },
              { label: '', panel: 'loss', colour: 'key', marker: 'circle', legend: false },
              { label: '', panel: 'loss', colour: 'query', marker: 'rectRot', legend: false },
            ],
            references: [
              { panel: 'loss', y: floor, label: t('peek.floor', { value }), atStart: floor < 2 },
            ],
          },
          theme,
        ),
    );
    chart.label = t('peek.curves.label', {
      step: run.tested,
      free: writeLoss(free),
      masked: writeLoss(masked),
      floor: value,
    });
    const [first, second] = run.networks;
    chart.update([first.losses, second.losses, first.tests, second.tests]);
  }

  /**
   * @param {Run} run
   * @param {Settings} settings
   */
  #drawBars({ networks, tested }, { seq_len }) {
    const last = seq_len - 1;
    this.write('.bars-caption', t('peek.bars', { step: tested, last }));
    const chart = this.chart(
      'bars',
      String(seq_len),
      (theme) =>
        new BarChart(
          this.find('.bars'),
          {
            categories: [...Array.from({ length: last }, (_, i) => String(i)), '', String(last)],
            series: [
              { label: t('peek.free'), colour: 'key', pattern: 'hatched' },
              { label: t('peek.masked'), colour: 'query' },
            ],
            xTitle: t('peek.bars.x'),
            yTitle: t('peek.loss'),
            ySuggestedMax: 3,
            format: (loss) => String(loss),
            references: [{ y: Math.log(VOCAB_SIZE), label: 'ln 10' }],
          },
          theme,
        ),
    );
    const [free, masked] = networks.map(({ test }) =>
      Array.from(test.position_loss.slice(0, seq_len), (loss) => loss.toFixed(2)).join(' '),
    );
    chart.label = t('peek.bars.label', { free, masked });
    chart.update(networks.map(({ test }) => barsOf(test, seq_len)));
  }

  /**
   * @param {Network} network
   * @param {Run} run
   * @param {Settings} settings
   */
  #drawMap({ name, weights }, { sample }, { seq_len }) {
    const labels = {
      rowLabels: sample.targets.map(String),
      columnLabels: sample.tokens.map(String),
    };
    const map = this.chart(
      name,
      JSON.stringify(labels),
      (theme) =>
        new HeatMap(
          this.find(`.map.${name}`),
          {
            rows: seq_len,
            columns: seq_len,
            ...labels,
            rowTitle: t('peek.map.row'),
            columnTitle: t('peek.map.column'),
            positions: false,
          },
          theme,
          (cell) => {
            this.#pointed = cell && { name, cell };
            this.redraw();
          },
        ),
    );
    let sum = 0;
    for (let i = 0; i < seq_len - 1; i++) sum += weights[i * seq_len + i + 1];
    map.label = t('peek.map.label', {
      name: t(name === 'free' ? 'peek.map.free' : 'peek.map.masked'),
      n: seq_len,
      mean: (sum / (seq_len - 1)).toFixed(2),
    });
    map.update(weights, { selected: this.#pointed?.name === name ? this.#pointed.cell : null });
  }

  /** @param {Run} run */
  #drawCell({ networks }) {
    if (!this.#pointed) {
      this.write('.cell', t('peek.cell.hint'));
      return;
    }
    const { name, cell } = this.#pointed;
    const { row, column } = cell;
    const { weights, config } = networks[name === 'free' ? 0 : 1];
    const words = {
      name: t(name === 'free' ? 'peek.free' : 'peek.masked'),
      row,
      column,
      weight: weights[row * Number(config.seq_len) + column].toFixed(3),
    };
    if (name === 'masked' && column > row) this.write('.cell', t('peek.cell.hidden', words));
    else this.write('.cell', t(column === row + 1 ? 'peek.cell.answer' : 'peek.cell', words));
  }

  /**
   * @param {Run} run
   * @param {Settings} settings
   */
  #drawReadout(run, settings) {
    const { seq_len } = settings;
    const { free, masked, floor } = lossesOf(run, settings);
    const last = seq_len - 1;
    const [freeLast, maskedLast] = run.networks.map(({ test }) => test.position_loss[last]);
    const lastFloor = positionFloors(settings, true)[last];
    const values = {
      free: writeLoss(free),
      'free-floor': t('peek.floor', { value: 0 }),
      masked: writeLoss(masked),
      'masked-floor': floorText(floor, settings),
      last: `${writeLoss(freeLast)} / ${writeLoss(maskedLast)}`,
      'last-floor': t('peek.floor', { value: writeLoss(lastFloor) }),
    };
    for (const [name, value] of Object.entries(values)) this.write(`[data-value=${name}]`, value);
    this.write('.free-name', t('peek.free.name', { last: last - 1 }));
    this.write('.masked-name', t('peek.masked.name', { last: last - 1 }));
    this.write('.last-name', t('peek.last.name', { last }));

    const state = verdict({ free, masked, floor });
    const words = { step: run.tested, free: values.free, masked: values.masked };
    if (state === 'untrained') this.write('.verdict', t('peek.verdict.untrained'));
    else if (state === 'under way') {
      const isOver = run.step >= settings.n_steps;
      this.write('.verdict', t(isOver ? 'peek.verdict.stopped' : 'peek.verdict.under_way', words));
    } else
      this.write('.verdict', t(state === 'same' ? 'peek.verdict.same' : 'peek.verdict.peeked'));
    const isFound = lastFloor === 0 && Math.max(freeLast, maskedLast) < 4 * NEAR;
    const more = isFound
      ? t('peek.verdict.period', { last })
      : lastFloor > 0
        ? t('peek.verdict.random', { last })
        : '';
    this.write('.verdict-last', state === 'peeked' ? more : '');
  }

  /**
   * @param {Run} run
   * @param {Settings} settings
   * @returns {Table[]}
   */
  tables({ networks, tested }, settings) {
    const floors = [false, true].map((causal) => positionFloors(settings, causal));
    return [
      {
        caption: t('peek.table', { step: tested, n: TEST_SEQUENCES }),
        columns: [
          t('peek.table.position'),
          t('peek.table.loss.free'),
          t('peek.table.loss.masked'),
          t('peek.table.floor.free'),
          t('peek.table.floor.masked'),
          t('peek.table.right.free'),
          t('peek.table.right.masked'),
        ],
        rows: floors[0].map((_, i) => [
          String(i),
          ...networks.map(({ test }) => test.position_loss[i].toFixed(4)),
          ...floors.map((floor) => floor[i].toFixed(4)),
          ...networks.map(
            ({ test }) => `${((100 * test.position_digits[i]) / test.n_sequences).toFixed(1)}%`,
          ),
        ]),
      },
    ];
  }

  /**
   * @param {Run} run
   * @param {Settings} settings
   */
  downloads(run, settings) {
    const curves = run.networks.flatMap(({ name, losses, tests }) => [
      { name: `${name} batch`, points: losses },
      { name: `${name} test`, points: tests },
    ]);
    return {
      table: this.tables(run, settings)[0],
      files: [
        {
          name: 'attn-peek.csv',
          label: t('figure.download.csv'),
          content: () => toCsv(curveRows('step', curves)),
        },
      ],
    };
  }
}

/** Stands in a network until its first test and look, which come before it is shown. */
const noTest = /** @type {Metrics} */ ({});
const noWeights = new Float32Array();

/**
 * The losses over positions 0 … L − 2 in the last test, and their floor with the mask.
 *
 * @param {Run} run
 * @param {Settings} settings
 */
function lossesOf({ networks }, settings) {
  const [free, masked] = networks.map(({ test }) =>
    innerMean(test.position_loss, settings.seq_len),
  );
  return { free, masked, floor: maskedFloor(settings) };
}

/**
 * The masked floor and where it comes from.
 *
 * @param {number} floor
 * @param {Settings} settings
 */
function floorText(floor, { seq_len, period }) {
  const value = writeLoss(floor);
  if (period === 0) return t('peek.floor.random', { value });
  if (floor === 0) return t('peek.floor', { value });
  return t('peek.floor.period', { period, n: seq_len - 1, value });
}

if (!customElements.get('attn-peek')) customElements.define('attn-peek', AttnPeek);
