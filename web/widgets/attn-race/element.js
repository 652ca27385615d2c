import { BarChart } from '../../charts/bar-chart.js';
import { LineChart } from '../../charts/line-chart.js';
import { percentOfMean, reverseJson } from '../../engine/index.js';
import { t } from '../../i18n/index.js';
import { curveRows, toCsv } from '../download-panel.js';
import { prefersReducedMotion } from '../figure.js';
import { FigureElement } from '../figure-element.js';
import { departures } from '../figure-settings.js';
import { TrainingHistory } from '../training-history.js';
import { TEST_SEQUENCES } from '../training-pace.js';
import {
  axisEnd,
  clockOf,
  isDone,
  isTested,
  LESSON_STEPS,
  lineOf,
  MOST_STEPS,
  NETWORKS,
  nextTurn,
  placeOn,
  pointsOn,
  positionShares,
  readLane,
  recordSteps,
  stepAt,
  testRows,
  verdictOf,
  wantsTest,
  writeShares,
} from './model.js';
import { CSS, MARKUP, SETTINGS } from './template.js';

/** @import { Series } from '../../charts/line-chart.js' */
/** @import { Metrics } from '../../engine/protocol.js' */
/** @import { Downloads } from '../download-panel.js' */
/** @import { EngineScope } from '../engine-scope.js' */
/** @import { FigureDefinition } from '../figure-element.js' */
/** @import { Table } from '../figure-table.js' */
/** @import { Clock, Lane, NetworkName, Place } from './model.js' */

/** @typedef {{clock: Clock, seq_len: number, n_steps: number, seed: number}} Settings */

/**
 * @typedef {object} Race
 * @property {Lane[]} lanes the Transformer, then the BiLSTM
 * @property {boolean} simd
 * @property {Place | null} viewed what is looked back at; null: the newest
 */

/** How often the pictures of a run are drawn, ms; for those who asked for less motion. */
const DRAWING_INTERVAL = 200;
const CALM_INTERVAL = 1000;

/** Each series has a colour for its network and a dash for what is measured. */
const DASHES = {
  transformer: { digits: [], sequences: [8, 4] },
  bilstm: { digits: [2, 2], sequences: [8, 3, 2, 3] },
};
const COLOURS = /** @type {const} */ ({ transformer: 'query', bilstm: 'key' });

/**
 * Trains the lesson's two networks side by side, and measures how right they are and how long it
 * takes.
 *
 *     <attn-race></attn-race>
 *     <attn-race clock="time" seq-len="16" n-steps="3000" seed="7"></attn-race>
 *
 * Attributes: `clock`, what both have equally much of, `steps` or computing `time`; `seq-len`;
 * `n-steps` of each; `seed` of parameters and training data.
 *
 * Events: those of FigureElement, `attn-step` (one was trained further) and `attn-done` (both have
 * reached `n-steps`); `detail` adds `step`, which both have reached, and for `transformer` and
 * `bilstm` `{step, ms, n_parameters, loss, digits, sequences}`: time of training, loss on the last
 * batch, shares right in the last test. The Transformer is in the page's registry while it does not
 * train.
 *
 * @extends {FigureElement<Settings, Race>}
 */
export class AttnRace extends FigureElement {
  /** @type {FigureDefinition} */
  static definition = {
    title: 'race.title',
    look: 'race.look',
    markup: MARKUP,
    css: CSS,
    settings: SETTINGS,
    downloads: true,
    sources: [
      () => import('../../sources/nn/bilstm.c?functions=bilstm_forward'),
      () => import('../../sources/nn/lstm.c?functions=lstm_forward+lstm_backward'),
      () => import('../../sources/ops/lstm_cell.c?functions=lstm_cell_forward+lstm_cell_backward'),
      () => import('../../sources/nn/transformer.c?functions=transformer_forward'),
      () => import('../../sources/train/session.c?functions=session_step_advance'),
    ],
  };

  /** The reader wants it to go on. */
  #playing = false;
  /** Requests are under way: after the present one they go on, or end. */
  #busy = false;
  /** What the button says, and so what a press of it means. */
  #offersPause = false;
  /** When a picture of the run was last asked for, ms. */
  #drawn = 0;

  build() {
    this.find('.scrub').addEventListener('input', ({ target }) => {
      const race = this.result;
      if (!race) return;
      const { value, max } = /** @type {HTMLInputElement} */ (target);
      const { clock } = this.settings;
      race.viewed = Number(value) < Number(max) ? { clock, at: Number(value) } : null;
      this.redraw();
    });
  }

  /**
   * @param {Settings} settings
   * @param {EngineScope} scope
   * @returns {Promise<Race>}
   */
  async compute({ seq_len, seed }, scope) {
    let simd = true;
    const create = async (/** @type {NetworkName} */ name) => {
      const made = await scope.request('create', {
        config: { ...NETWORKS[name].config, seq_len, init_seed: seed, data_seed: seed },
      });
      const { session, config, n_parameters } = made;
      simd = made.simd;
      const history = new TrainingHistory();
      /** @type {Lane} */
      const lane = { name, session, config, n_parameters, history, times: [0], ms_per_step: 0 };
      await this.#test(lane, scope);
      return lane;
    };
    const lanes = [await create('transformer'), await create('bilstm')];
    return { lanes, simd, viewed: null };
  }

  /** @param {Race} race */
  detail({ lanes }) {
    const [transformer, bilstm] = lanes.map(({ history, times, n_parameters }) => {
      const { step } = history;
      const test = /** @type {Metrics} */ (history.evaluationAt(step));
      return {
        step,
        ms: times[step],
        n_parameters,
        loss: history.lossAt(step) ?? null,
        digits: test.digits / test.n_digits,
        sequences: test.sequences / test.n_sequences,
      };
    });
    return { step: Math.min(transformer.step, bilstm.step), transformer, bilstm };
  }

  /** @param {string} action */
  act(action) {
    const race = this.result;
    if (!race) return;
    if (action === 'reset') this.computeAnew();
    if (action === 'single' && !this.#busy) {
      race.viewed = null;
      this.attempt((scope) => this.#train(race, scope, true));
    }
    if (action !== 'train') return;
    if (this.#offersPause) this.#playing = false;
    else if (this.#isDone(race)) this.#goOn(race);
    else this.#start(race);
    this.redraw();
  }

  stop() {
    this.#playing = false;
    this.#busy = false;
  }

  /** @param {Race} race */
  #isDone({ lanes }) {
    return lanes.every((lane) => isDone(lane, this.settings.n_steps));
  }

  /** At the end of a run: further, or, where there is no further, from the start. @param {Race} race */
  #goOn(race) {
    const { n_steps } = this.settings;
    if (n_steps >= MOST_STEPS) {
      this.computeAnew('train');
      return;
    }
    this.set('n_steps', Math.min(MOST_STEPS, n_steps + LESSON_STEPS));
    this.attempt(async (scope) => {
      // The attribute is read in a microtask that was asked for before this one.
      await null;
      scope.check();
      if (!this.#isDone(race)) this.#start(race);
    });
  }

  /** Begins to train, or lets what is under way go on. @param {Race} race */
  #start(race) {
    race.viewed = null;
    this.#playing = true;
    if (!this.#busy) this.attempt((scope) => this.#train(race, scope));
  }

  /**
   * Trains until the reader pauses or both have reached the end: one request at a time, so that
   * each network has the engine to itself while its time is taken.
   *
   * @param {Race} race
   * @param {EngineScope} scope
   * @param {boolean} [isSingle] one step of each, before what the reader asks for meanwhile
   */
  async #train(race, scope, isSingle = false) {
    this.#busy = true;
    this.withdraw();
    try {
      if (isSingle) await this.#step(race, scope);
      while (this.#playing && !this.#isDone(race)) {
        const turn = nextTurn(race.lanes, this.settings);
        if (turn) await this.#advance(turn.lane, turn.n_steps, scope);
        else await this.#testLast(race, scope);
        this.#redrawSeldom();
        this.report('attn-step', this.detail(race));
      }
    } finally {
      if (!scope.ended) {
        this.#playing = false;
        this.#busy = false;
      }
    }
    this.redraw();
    const [{ session, config, history }] = race.lanes;
    this.offer({ session, config, step: history.step });
    if (!this.#isDone(race)) return;
    const detail = this.detail(race);
    this.say(this.#summary(race));
    this.report('attn-done', { ...this.settings, ...detail });
  }

  /** One step of each. @param {Race} race @param {EngineScope} scope */
  async #step(race, scope) {
    for (const lane of race.lanes) {
      if (lane.history.step < this.settings.n_steps) await this.#advance(lane, 1, scope);
    }
    if (!nextTurn(race.lanes, this.settings)) await this.#testLast(race, scope);
    this.report('attn-step', this.detail(race));
  }

  /** Tests what an end set behind it leaves untested. @param {Race} race @param {EngineScope} scope */
  async #testLast({ lanes }, scope) {
    for (const lane of lanes) if (!isTested(lane)) await this.#test(lane, scope);
  }

  /**
   * @param {Lane} lane
   * @param {number} n_steps
   * @param {EngineScope} scope
   */
  async #advance(lane, n_steps, scope) {
    const begin = performance.now();
    const { metrics } = await scope.request('step', { session: lane.session, n_steps });
    recordSteps(lane, metrics, performance.now() - begin);
    if (wantsTest(lane, this.settings.n_steps)) await this.#test(lane, scope);
  }

  /**
   * @param {Lane} lane
   * @param {EngineScope} scope
   */
  async #test({ session, config, history }, scope) {
    const { metrics } = await scope.request('evaluate', {
      session,
      seed: Number(config.test_seed),
      n_sequences: TEST_SEQUENCES,
    });
    history.addEvaluation(history.step, metrics);
  }

  #redrawSeldom() {
    const now = performance.now();
    const interval = prefersReducedMotion() ? CALM_INTERVAL : DRAWING_INTERVAL;
    if (now - this.#drawn < interval) return;
    this.#drawn = now;
    this.redraw();
  }

  /**
   * @param {Race} race
   * @param {Settings} settings
   */
  draw(race, settings) {
    const note = this.find('.note');
    note.hidden = race.simd;
    note.textContent = race.simd ? '' : t('figure.no_simd');
    const { clock } = settings;
    race.viewed = placeOn(race.viewed, clock, clockOf(race.lanes, clock));
    const seen = race.lanes.map((lane) => ({ lane, step: stepAt(lane, race.viewed) }));
    this.#drawControls(race, settings);
    this.#drawNumbers(seen);
    this.#drawLines(settings, seen);
    this.drawParts([
      () => this.#drawCurves(race, settings, seen),
      () => this.#drawPositions(settings, seen),
    ]);
  }

  /**
   * @param {Race} race
   * @param {Settings} settings
   */
  #drawControls(race, { clock, n_steps }) {
    const { lanes, viewed } = race;
    const isDone = this.#isDone(race);
    const next = Math.min(MOST_STEPS, n_steps + LESSON_STEPS);
    const begun = lanes.some(({ history }) => history.step > 0);
    const words = () => {
      if (this.#playing) return t('race.pause');
      if (isDone && n_steps >= MOST_STEPS) return t('race.again');
      if (isDone) return t('race.further', { n: next });
      return t(begun ? 'race.continue' : 'race.train');
    };
    this.write('[data-action=train]', words());
    this.#offersPause = this.#playing;
    /** @type {HTMLButtonElement} */ (this.find('[data-action=single]')).disabled =
      this.#playing || isDone;
    const end = clockOf(lanes, clock);
    const slider = /** @type {HTMLInputElement} */ (this.find('.scrub'));
    slider.step = clock === 'steps' ? '1' : 'any';
    slider.max = String(end);
    slider.disabled = !begun;
    const shown = viewed?.at ?? end;
    if (Number(slider.value) !== shown) slider.value = String(shown);
    const place =
      clock === 'steps'
        ? t('race.place.steps', { step: Math.round(shown), n_steps })
        : t('race.place.time', { seconds: shown.toFixed(1) });
    slider.setAttribute('aria-valuetext', place);
    this.write('.progress output', viewed === null ? place : t('race.place.past', { place }));
  }

  /**
   * @param {Race} race
   * @param {Settings} settings
   * @param {{lane: Lane, step: number}[]} seen
   */
  #drawCurves({ lanes, viewed }, { clock, n_steps }, seen) {
    const end = clockOf(lanes, clock);
    const xMax = clock === 'steps' ? Math.max(n_steps, end) : axisEnd(end);
    const chart = this.chart('curves', `${clock} ${xMax}`, (theme) => {
      /** @type {Series[]} */
      const series = lanes.flatMap(({ name }) => {
        const network = t(`race.${name}`);
        const colour = COLOURS[name];
        const { digits, sequences } = DASHES[name];
        return [
          { label: network, panel: 'loss', colour, dash: digits, width: 1, legend: false },
          {
            label: t('race.series', { network, what: t('race.digits') }),
            panel: 'accuracy',
            colour,
            dash: digits,
          },
          {
            label: t('race.series', { network, what: t('race.sequences') }),
            panel: 'accuracy',
            colour,
            dash: sequences,
          },
        ];
      });
      return new LineChart(
        this.find('.curves'),
        {
          xTitle: t(clock === 'steps' ? 'race.step' : 'race.seconds'),
          xMax,
          panels: [
            {
              id: 'accuracy',
              title: t('race.accuracy'),
              min: 0,
              max: 1,
              stepSize: 0.5,
              format: (share) => `${Math.round(share * 100)}%`,
            },
            { id: 'loss', title: t('race.loss'), min: 0, suggestedMax: 2.5, format: String },
          ],
          series,
        },
        theme,
      );
    });
    chart.setCursor(viewed?.at ?? null);
    chart.label = t('race.curves.label', { list: this.#readings(seen) });
    chart.update(
      lanes.flatMap((lane) => {
        const { loss, testDigits, testSequences } = lane.history;
        return [loss, testDigits, testSequences].map((points) => pointsOn(points, lane, clock));
      }),
    );
  }

  /**
   * @param {Settings} settings
   * @param {{lane: Lane, step: number}[]} seen
   */
  #drawPositions({ seq_len }, seen) {
    const tests = seen.map(({ lane, step }) => lane.history.evaluationAt(step));
    const chart = this.chart(
      'positions',
      String(seq_len),
      (theme) =>
        new BarChart(
          this.find('.positions'),
          {
            categories: Array.from({ length: seq_len }, (_, i) => String(i)),
            series: [
              { label: t('race.transformer'), colour: 'query', pattern: 'full' },
              { label: t('race.bilstm'), colour: 'key', pattern: 'hatched' },
            ],
            xTitle: t('race.position'),
            yTitle: '',
            yMax: 1,
            format: (share) => `${Math.round(share * 100)}%`,
          },
          theme,
        ),
    );
    const shares = tests.map((test) => (test ? positionShares(test, seq_len) : []));
    this.write('.positions-caption', t('race.positions'));
    chart.label = t('race.positions.label', {
      transformer: writeShares(shares[0]),
      bilstm: writeShares(shares[1]),
    });
    chart.update(shares);
  }

  /** @param {{lane: Lane, step: number}[]} seen */
  #drawNumbers(seen) {
    for (const { lane, step } of seen) {
      for (const [name, value] of Object.entries(readLane(lane, step))) {
        this.write(`[data-value=${lane.name}-${name}]`, value);
      }
    }
    const [transformer, bilstm] = seen.map(({ lane }) => lane.n_parameters);
    const share = ((100 * transformer) / bilstm).toFixed(1);
    const key = 3 * transformer < bilstm ? 'race.ratio.third' : 'race.ratio';
    this.write('.ratio', t(key, { transformer, bilstm, share }));
  }

  /**
   * @param {Settings} settings
   * @param {{lane: Lane, step: number}[]} seen
   */
  #drawLines(settings, seen) {
    // Of the settings that decide a number; how long to train is told by the step of the test.
    const others = SETTINGS.filter(({ name }) => name !== 'n_steps');
    const isLesson = departures(others, settings).length === 0;
    for (const { lane, step } of seen) {
      const test = lane.history.evaluationAt(step);
      if (!test) continue;
      this.write(`.own.${lane.name}`, lineOf(lane, test));
      const verdict = verdictOf(lane, test, isLesson);
      const words = {
        same: t('race.verdict.same'),
        noise: t('race.verdict.noise'),
        steps: t('race.verdict.steps', { step: test.step, lesson: LESSON_STEPS }),
        settings: t('race.verdict.settings'),
        different: t('race.verdict.different'),
      };
      this.write(`.verdict.${lane.name}`, words[verdict]);
      this.find(`.verdict.${lane.name}`).classList.toggle('same', verdict === 'same');
    }
  }

  /** @param {{lane: Lane, step: number}[]} seen */
  #readings(seen) {
    return seen
      .map(({ lane, step }) => {
        const { digits, sequences, loss } = readLane(lane, step);
        const network = t(`race.${lane.name}`);
        return t('race.reading', { network, step, loss, digits, sequences });
      })
      .join(t('race.join'));
  }

  /** @param {Race} race */
  #summary({ lanes }) {
    const list = this.#readings(lanes.map((lane) => ({ lane, step: lane.history.step })));
    return t('race.finished', { list });
  }

  /**
   * @param {Race} race
   * @param {Settings} settings
   * @returns {Table[]}
   */
  tables({ lanes, viewed }, { seq_len }) {
    const tests = lanes.map((lane) => lane.history.evaluationAt(stepAt(lane, viewed)));
    const positions = Array.from({ length: seq_len }, (_, i) => i);
    return [
      {
        caption: t('race.positions'),
        columns: [t('race.position'), t('race.transformer'), t('race.bilstm')],
        rows: positions.map((i) => [
          String(i),
          ...tests.map((test) =>
            test ? percentOfMean(test.position_digits[i], test.n_sequences) : '–',
          ),
        ]),
      },
    ];
  }

  /**
   * @param {Race} race
   * @returns {Downloads}
   */
  downloads({ lanes }) {
    const columnsOf = (/** @type {Lane} */ { name }) =>
      [t('race.seconds'), t('race.loss'), t('race.digits'), t('race.sequences')].map((what) =>
        t('race.series', { network: t(`race.${name}`), what }),
      );
    const picture = (/** @type {string} */ name, /** @type {string} */ title) => ({
      name: `${name}.png`,
      label: t('figure.download.png', { name: title }),
      content: () => this.picture(name),
    });
    return {
      table: {
        caption: t('figure.download.table'),
        columns: [t('race.step'), ...lanes.flatMap(columnsOf)],
        rows: testRows(lanes),
      },
      files: [
        {
          name: 'reverse_seq.json',
          label: t('figure.download.json'),
          content: () => this.#lessonFile(lanes[0]),
        },
        {
          name: 'race.csv',
          label: t('figure.download.csv'),
          content: () =>
            toCsv(
              curveRows(
                'step',
                lanes.flatMap(({ name, history, times }) => [
                  {
                    name: `${name}_seconds`,
                    points: times.map((ms, step) => ({ x: step, y: ms / 1000 })),
                  },
                  { name: `${name}_loss`, points: history.loss },
                  { name: `${name}_digits`, points: history.digits },
                  { name: `${name}_sequences`, points: history.sequences },
                  { name: `${name}_test_digits`, points: history.testDigits },
                  { name: `${name}_test_sequences`, points: history.testSequences },
                ]),
              ),
            ),
        },
        picture('curves', t('race.download.curves')),
        picture('positions', t('race.positions')),
      ],
    };
  }

  /** What reverse_seq.py writes of its trained Transformer. @param {Lane} lane */
  async #lessonFile({ session, config }) {
    const batch = await this.engine.request('batch', {
      session,
      seed: Number(config.test_seed),
      n_sequences: 1,
    });
    const [tokens] = batch.tokens;
    const names = ['att.weights'];
    const { tensors } = await this.engine.request('predict', { session, tokens, names });
    const [{ shape, data }] = tensors;
    return reverseJson({ shape: shape.slice(-2), data }, tokens);
  }
}

if (!customElements.get('attn-race')) customElements.define('attn-race', AttnRace);
