import { ColourBar } from '../../charts/colour-bar.js';
import { HeatMap } from '../../charts/heatmap.js';
import { onSessionsChange, publishedSessions } from '../../engine/index.js';
import { t } from '../../i18n/index.js';
import { settingValue } from '../figure.js';
import { FigureElement } from '../figure-element.js';
import { writeFixed } from '../numbers.js';
import { Player } from '../player.js';
import {
  choose,
  largestSize,
  mapsOf,
  N_TOKENS,
  parseQuestion,
  residualPaths,
  stagesOf,
  summary,
  tokensOf,
} from './model.js';
import { ARCHITECTURE, CSS, MARKUP, MOST_MAPS, SETTINGS } from './template.js';
import { columnTitle, mapName, STAGE_NAMES, stageTexts } from './words.js';

/** @import { Cell } from '../../charts/heatmap.js' */
/** @import { Config, Tensor, TensorInfo } from '../../engine/protocol.js' */
/** @import { EngineScope } from '../engine-scope.js' */
/** @import { FigureDefinition } from '../figure-element.js' */
/** @import { Table } from '../figure-table.js' */
/** @import { StageId, StageMap } from './model.js' */

/** @typedef {{stage: StageId, layer: number, head: number, tokens: number, source: 'untrained' | 'trained', norm_first: boolean, activation: string, causal: boolean, n_layers: number, n_heads: number, init_seed: number}} Settings */

/**
 * @typedef {object} Result
 * @property {Config} config of the network that is shown
 * @property {number | null} step at which a trained network stands
 * @property {number} n_parameters
 * @property {number[]} tokens
 * @property {number[]} predicted
 * @property {number[]} targets
 * @property {Record<string, Tensor>} tensors by the engine's names
 */

/** A cell, and in which picture. @typedef {{slot: number, cell: Cell}} Pointed */

/** The lesson's Transformer. */
const LESSON_PARAMETERS = 9194;

/** A stage is shown so long while playing, s. */
const STAGE_SECONDS = 1.6;

/**
 * Walks through a Transformer block with real numbers: the tensor of every stage as a map.
 *
 *     <attn-block></attn-block>
 *     <attn-block stage="weights" norm-first n-layers="2" n-heads="4" causal tokens="3141592653">
 *     </attn-block>
 *
 * Attributes: `stage`, `layer` and `head`, what is shown; `tokens`, ten digits; `source`, `trained`
 * for the weights of the network that was last trained on the page; `norm-first`, `activation`,
 * `causal`, `n-layers`, `n-heads` and `init-seed` of an untrained one.
 *
 * Events: those of FigureElement; `detail` adds `trained`, and `n_parameters`.
 *
 * @extends {FigureElement<Settings, Result>}
 */
export class AttnBlock extends FigureElement {
  /** @type {FigureDefinition} */
  static definition = {
    title: 'block.title',
    look: 'block.look',
    markup: MARKUP,
    css: CSS,
    settings: SETTINGS,
    sources: [
      () => import('../../sources/nn/transformer.c?functions=transformer_forward'),
      () => import('../../sources/nn/encoder_layer.c?functions=encoder_layer_forward+feed_forward'),
      () => import('../../sources/nn/multihead_attention.c?functions=multihead_attention_forward'),
      () => import('../../sources/ops/layernorm.c?functions=layernorm_forward'),
    ],
  };

  #player = new Player((seconds) => this.#play(seconds));
  #waited = 0;
  /** What the reader points at. @type {Pointed | null} */
  #pointed = null;
  /** The line in the field is no question; it stands, with the reason, until something is computed. */
  #refused = false;
  /** The diagram that stands there. */
  #diagram = '';
  #endWatch = () => {};

  connectedCallback() {
    super.connectedCallback();
    this.#endWatch = onSessionsChange(() => {
      if (this.result && this.settings.source === 'trained') this.computeAnew();
    });
  }

  disconnectedCallback() {
    this.#endWatch();
    super.disconnectedCallback();
  }

  build() {
    for (const name of ['layer', 'head']) this.#showSlider(name, false);
    this.find('form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#ask();
    });
    this.find('.diagram').addEventListener('keydown', (event) => this.#onKey(event));
  }

  /**
   * @param {Settings} settings
   * @param {EngineScope} scope
   * @returns {Promise<Result>}
   */
  async compute(settings, scope) {
    this.#pointed = null;
    this.#refused = false;
    const trained = settings.source === 'trained' ? await this.#readTrained(settings, scope) : null;
    if (trained) return trained;
    const { norm_first, activation, causal, n_layers, n_heads, init_seed } = settings;
    const { session, config } = await scope.request('create', {
      config: { norm_first, activation, causal, n_layers, n_heads, init_seed },
    });
    const result = await read({ session, config, step: null }, settings.tokens, scope);
    await scope.request('destroy', { session });
    return result;
  }

  /**
   * The numbers of the network that was last trained on the page, or null where there is none.
   *
   * @param {Settings} settings
   * @param {EngineScope} scope
   */
  async #readTrained(settings, scope) {
    const trained = publishedSessions()
      .filter(({ config, client }) => config.model === 'transformer' && client === this.engine)
      .at(-1);
    if (!trained) return null;
    try {
      return await read(trained, settings.tokens, scope);
    } catch (error) {
      // Its owner may have ended it meanwhile.
      if (publishedSessions().includes(trained)) throw error;
      return null;
    }
  }

  /**
   * @param {Result} result
   */
  detail({ step, n_parameters }) {
    return { trained: step !== null, n_parameters };
  }

  /** @param {string} action */
  act(action) {
    if (action === 'play') {
      this.#waited = 0;
      if (this.#player.playing) this.#player.pause();
      else this.#player.play();
      this.redraw();
    } else {
      this.#player.pause();
      if (action === 'on' || action === 'back') this.#walk(action === 'on' ? 1 : -1);
      if (action.startsWith('stage-')) this.set('stage', action.slice('stage-'.length));
      this.redraw();
    }
  }

  stop() {
    this.#player.pause();
  }

  /** @param {number} seconds */
  #play(seconds) {
    if (!this.inView) return;
    this.#waited += seconds;
    if (this.#waited < STAGE_SECONDS) return;
    this.#waited = 0;
    if (!this.#walk(1)) this.#player.pause();
    this.redraw();
  }

  /**
   * To another stage; false where there is none.
   *
   * @param {number} by so many stages further
   */
  #walk(by) {
    if (!this.result) return false;
    const { all, index } = choose(this.settings, sizesOf(this.result));
    const next = index + by;
    if (next < 0 || next >= all.length) return false;
    const { stage, layer } = all[next];
    this.set('stage', stage);
    this.set('layer', layer);
    if (!this.#player.playing) this.say(t(STAGE_NAMES[stage]));
    return next < all.length - 1;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const far = Number.POSITIVE_INFINITY;
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -far, End: far };
    const by = moves[event.key];
    if (by === undefined || !this.result) return;
    event.preventDefault();
    this.#player.pause();
    const { all, index } = choose(this.settings, sizesOf(this.result));
    this.#walk(Math.max(-index, Math.min(all.length - 1 - index, by)));
  }

  #ask() {
    const field = /** @type {HTMLInputElement} */ (this.find('#question'));
    const question = parseQuestion(field.value);
    this.#refused = question === undefined;
    this.#showProblem();
    if (question !== undefined) this.set('tokens', question);
  }

  #showProblem() {
    this.find('#question').setAttribute('aria-invalid', String(this.#refused));
    this.write('#question-problem', this.#refused ? t('block.problem', { n: N_TOKENS }) : '');
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  draw(result, settings) {
    const sizes = sizesOf(result);
    const { all, index, place, head } = choose(settings, sizes);
    const maps = mapsOf(place, result.tensors, { ...sizes, head });

    this.write('[data-action=play]', t(this.#player.playing ? 'block.pause' : 'block.play'));
    this.#enable('[data-action=back]', index > 0);
    this.#enable('[data-action=on]', index < all.length - 1);
    for (const name of ARCHITECTURE) this.#enable(`[name="${name}"]`, result.step === null);
    this.#showPlaces(place.stage, sizes);
    this.#drawDiagram(result, place);
    this.#drawStage(result, { stage: place.stage, head, maps });
    this.#drawNetwork(result, settings);
    const field = /** @type {HTMLInputElement} */ (this.find('#question'));
    this.#showProblem();
    if (!this.#refused && !field.matches(':focus'))
      field.value = String(settings.tokens).padStart(N_TOKENS, '0');
  }

  /** @param {string} selector @param {boolean} enabled */
  #enable(selector, enabled) {
    /** @type {HTMLButtonElement | HTMLInputElement} */ (this.find(selector)).disabled = !enabled;
  }

  /**
   * Sliders for the layer and the head, where there are several to choose from.
   *
   * @param {StageId} stage
   * @param {ReturnType<typeof sizesOf>} sizes
   */
  #showPlaces(stage, { norm_first, n_layers, n_heads }) {
    const isInLayer = stagesOf(norm_first).layer.includes(stage);
    const show = (
      /** @type {string} */ name,
      /** @type {number} */ n,
      /** @type {boolean} */ shown,
    ) => {
      this.bound(name, n);
      this.#enable(`[name="${name}"]`, shown);
      this.#showSlider(name, n > 1);
    };
    show('layer', n_layers, isInLayer);
    show('head', n_heads, stage === 'weights');
  }

  /** @param {string} name @param {boolean} shown */
  #showSlider(name, shown) {
    const part = this.find(`[name="${name}"]`).closest('.setting');
    /** @type {HTMLElement} */ (part).hidden = !shown;
  }

  /**
   * @param {Result} result
   * @param {{stage: StageId, layer: number}} place
   */
  #drawDiagram(result, { stage, layer }) {
    const sizes = sizesOf(result);
    const { before, layer: inLayer, after } = stagesOf(sizes.norm_first);
    const stages = [...before, ...inLayer, ...after];
    const diagram = this.find('.diagram');
    // From stage to stage a focus within the diagram goes along; it is not fetched from elsewhere.
    const isFocused = diagram.contains(this.shadowRoot?.activeElement ?? null);
    const words = stages.map((id) => {
      const last = mapsOf({ stage: id, layer }, result.tensors, { ...sizes, head: 1 }).at(-1);
      return { id, name: t(STAGE_NAMES[id]), shape: shapeText(/** @type {StageMap} */ (last)) };
    });
    const wanted = JSON.stringify([words, sizes, t('block.residual')]);
    if (this.#diagram !== wanted) {
      this.#diagram = wanted;
      const buttons = words.map(({ id, name, shape }, row) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.dataset.action = `stage-${id}`;
        button.classList.toggle('sum', id.startsWith('residual'));
        button.style.gridRow = `${row + 1}`;
        const small = document.createElement('small');
        small.textContent = shape;
        button.append(name, small);
        return button;
      });
      const span = (
        /** @type {string} */ className,
        /** @type {number} */ from,
        /** @type {number} */ to,
        /** @type {string} */ text,
      ) => {
        const part = document.createElement('div');
        part.className = className;
        part.style.gridRow = `${from + 1} / ${to + 2}`;
        part.setAttribute('aria-hidden', 'true');
        const label = document.createElement('span');
        label.textContent = text;
        part.append(label);
        return part;
      };
      const first = before.length;
      const frame = span(
        'frame',
        first,
        first + inLayer.length - 1,
        t('block.layers', { n: sizes.n_layers }),
      );
      const paths = residualPaths(sizes.norm_first).map(({ from, to }) =>
        span('path', stages.indexOf(from), stages.indexOf(to), t('block.residual')),
      );
      diagram.replaceChildren(...buttons, frame, ...paths);
    }
    for (const button of diagram.querySelectorAll('button')) {
      const isShown = button.dataset.action === `stage-${stage}`;
      button.tabIndex = isShown ? 0 : -1;
      if (isShown) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
      if (isShown && isFocused) button.focus({ preventScroll: true });
    }
  }

  /**
   * @param {Result} result
   * @param {{stage: StageId, head: number, maps: StageMap[]}} shown
   */
  #drawStage(result, { stage, head, maps }) {
    const [formula, why] = stageTexts(stage, result.config);
    this.write('.name', t(STAGE_NAMES[stage]));
    this.write('.formula', t(formula));
    this.write('.why', t(why));

    const slots = this.find('.slots');
    slots.dataset.count = String(maps.length);
    slots.toggleAttribute('data-wide', maps.length === 2);
    const signed = maps.filter(({ id }) => !isShare(id));
    const size = largestSize(signed);
    for (let slot = 0; slot < MOST_MAPS; slot++) {
      this.find(`.slot-${slot}`).hidden = slot >= maps.length;
      const hasBar = slot < maps.length && (maps.length === 2 || slot === maps.length - 1);
      this.find(`.slot-${slot} .bar`).hidden = !hasBar;
    }
    // Before any part is drawn, and for all of them: each may be the first, and some wait.
    this.#dropPointed(maps);
    const pointed = this.#pointed;
    this.drawParts([
      () => this.#drawCell(maps, result, { head, pointed }),
      ...maps.map((map, slot) => () => {
        const hasBar = maps.length === 2 || slot === maps.length - 1;
        this.#drawMap(slot, map, { result, head, size, hasBar, pointed });
      }),
    ]);

    const map = maps[maps.length - 1];
    const { min, max, zeros, n, deviation } = summary(map);
    const values = {
      shape: shapeText(map),
      range: `${writeFixed(min, 3)} … ${writeFixed(max, 3)}`,
      zeros: t('block.zeros.value', { zeros, n, percent: `${((100 * zeros) / n).toFixed(1)}%` }),
      deviation: `${writeFixed(deviation.min, 3)} … ${writeFixed(deviation.max, 3)}`,
    };
    for (const [name, value] of Object.entries(values)) this.write(`[data-value=${name}]`, value);
  }

  /**
   * @param {number} slot
   * @param {StageMap} map
   * @param {{result: Result, head: number, size: number, hasBar: boolean, pointed: Pointed | null}} options
   */
  #drawMap(slot, { id, rows, columns, data }, { result, head, size, hasBar, pointed }) {
    const { tokens } = result;
    const name = t(mapName(id), { head });
    const colours = isShare(id) ? { max: 1 } : { max: size, signed: true };
    this.write(`#slot-${slot}`, name);
    const columnLabels =
      id === 'scores' || id === 'weights'
        ? tokens.map(String)
        : Array.from({ length: columns }, (_, i) => String(i));
    const options = {
      rows,
      columns,
      rowLabels: tokens.map(String),
      columnLabels,
      columnTitle: hasBar ? t(columnTitle(id)) : undefined,
      positions: false,
      ...colours,
    };
    const chart = this.chart(
      `map-${slot}`,
      JSON.stringify(options),
      (theme) =>
        new HeatMap(this.find(`.slot-${slot} .map`), options, theme, (cell) => {
          this.#pointed = cell && { slot, cell };
          this.redraw();
        }),
    );
    const { min, max } = summary({ id, rows, columns, data });
    chart.label = t('block.map.label', {
      map: name,
      rows,
      columns,
      min: writeFixed(min, 3),
      max: writeFixed(max, 3),
    });
    chart.update(data, { selected: pointed?.slot === slot ? pointed.cell : null });

    if (!hasBar) return;
    const bar = this.chart(
      `bar-${slot}`,
      JSON.stringify(colours),
      (theme) => new ColourBar(this.find(`.slot-${slot} .bar`), theme, colours),
    );
    bar.label = t('block.bar');
  }

  /** A cell that the maps do not have is not pointed at any more. @param {StageMap[]} maps */
  #dropPointed(maps) {
    if (!this.#pointed) return;
    const { slot, cell } = this.#pointed;
    const map = maps[slot];
    if (!map || cell.row >= map.rows || cell.column >= map.columns) this.#pointed = null;
  }

  /**
   * @param {StageMap[]} maps
   * @param {Result} result
   * @param {{head: number, pointed: Pointed | null}} options
   */
  #drawCell(maps, { tokens }, { head, pointed }) {
    if (!pointed) {
      this.write('.cell', t('block.cell.hint'));
      return;
    }
    const { slot, cell } = pointed;
    const { row, column } = cell;
    const map = maps[slot];
    const value = map.data[row * map.columns + column];
    const words = { map: t(mapName(map.id), { head }), row, column, token: tokens[row] };
    const text = Number.isFinite(value)
      ? t('block.cell', { ...words, value: writeFixed(value, 4) })
      : t('block.cell.masked', words);
    this.write('.cell', text);
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  #drawNetwork({ config, step, n_parameters, tokens, predicted, targets }, { source }) {
    this.write('[data-value=parameters]', String(n_parameters));
    const isSame = n_parameters === LESSON_PARAMETERS;
    this.write('small.lesson', isSame ? t('block.same') : t('block.lesson'));
    this.find('small.lesson').classList.toggle('same', isSame);
    this.write(
      '.answer',
      t('block.answer', {
        tokens: tokens.join(' '),
        predicted: predicted.join(' '),
        targets: targets.map((target) => (target < 0 ? '?' : target)).join(' '),
        right: targets.filter((target, i) => target === predicted[i]).length,
        n: targets.filter((target) => target >= 0).length,
      }),
    );
    const norm = config.norm_first ? t('block.norm.pre') : t('block.norm.post');
    const { n_layers, n_heads } = config;
    if (step !== null) {
      const task = settingValue('task', config.task);
      const causal = settingValue('causal', config.causal);
      this.write(
        '.network',
        t('block.network.trained', {
          task,
          step,
          norm,
          causal,
          n_layers: Number(n_layers),
          n_heads: Number(n_heads),
        }),
      );
    } else if (source === 'trained') this.write('.network', t('block.network.none'));
    else this.write('.network', t(config.norm_first ? 'block.network.pre' : 'block.network.post'));
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   * @returns {Table[]}
   */
  tables(result, settings) {
    const sizes = sizesOf(result);
    const { place, head } = choose(settings, sizes);
    return mapsOf(place, result.tensors, { ...sizes, head }).map(({ id, rows, columns, data }) => ({
      caption: t('block.table', { map: t(mapName(id), { head }), rows, columns }),
      columns: [t('block.row'), ...Array.from({ length: columns }, (_, i) => String(i))],
      rows: Array.from({ length: rows }, (_, row) => [
        `${row}: ${result.tokens[row]}`,
        ...Array.from(data.subarray(row * columns, (row + 1) * columns), (value) =>
          writeFixed(value, 4),
        ),
      ]),
    }));
  }
}

/** Weights and probabilities, 0 … 1. @param {StageMap['id']} id */
function isShare(id) {
  return id === 'weights' || id === 'probs';
}

/** @param {StageMap} map */
function shapeText({ rows, columns }) {
  return `${rows}×${columns}`;
}

/** @param {Result} result */
function sizesOf({ config: { norm_first, n_layers, n_heads } }) {
  return {
    norm_first: Boolean(norm_first),
    n_layers: Number(n_layers),
    n_heads: Number(n_heads),
  };
}

/**
 * Sends the question through a network and copies out every tensor on the way.
 *
 * @param {{session: number, config: Config, step: number | null}} network
 * @param {number} question
 * @param {EngineScope} scope
 * @returns {Promise<Result>}
 */
async function read({ session, config, step }, question, scope) {
  const { tensors } = await scope.request('tensors', { session });
  const isShown = (/** @type {TensorInfo} */ { kind }) =>
    kind === 'activation' || kind === 'buffer';
  const names = tensors.filter(isShown).map(({ name }) => name);
  const n_parameters = tensors
    .filter(({ kind }) => kind === 'parameter')
    .reduce((sum, { shape }) => sum + shape.reduce((n, length) => n * length, 1), 0);
  const tokens = tokensOf(question, config);
  const answer = await scope.request('predict', { session, tokens, names });
  return {
    config,
    step,
    n_parameters,
    tokens,
    predicted: answer.predicted,
    targets: answer.targets,
    tensors: Object.fromEntries(names.map((name, i) => [name, answer.tensors[i]])),
  };
}

if (!customElements.get('attn-block')) customElements.define('attn-block', AttnBlock);
