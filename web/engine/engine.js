/**
 * The only file that knows the C interface (`c_src/exports.h`): plain objects in, plain objects
 * out, shaped as in `protocol.js`.
 *
 * Numbers, offsets and ranges come from `attn_constants_json`; none is repeated here. Memory may
 * grow at any allocation, which detaches every view, so views are made at the moment of use and
 * results are copied out. A negative status becomes an `EngineError`; a trap ends the engine,
 * which from then on refuses every call with `PANIC`.
 */

import { EngineError } from './engine-error.js';

/**
 * @typedef {import('./protocol.js').Config} Config
 * @typedef {import('./protocol.js').ConfigField} ConfigField
 * @typedef {import('./protocol.js').StructField} StructField
 * @typedef {import('./protocol.js').Constants} Constants
 * @typedef {import('./protocol.js').Metrics} Metrics
 * @typedef {import('./protocol.js').Sharpness} Sharpness
 * @typedef {import('./protocol.js').Tensor} Tensor
 * @typedef {import('./protocol.js').TensorInfo} TensorInfo
 * @typedef {import('./protocol.js').Requests} Requests
 */

/** @typedef {TensorInfo & {offset: number}} PlacedTensor offset: address of the first float */

/**
 * @template {keyof Requests} T
 * @typedef {Requests[T]['args']} Args
 */
/**
 * @template {keyof Requests} T
 * @typedef {Requests[T]['result']} Result
 */

/** The base of the lesson's sinusoidal positions. */
const LESSON_BASE = 10_000;

/** Addresses of WebAssembly have 32 bits. */
const MAX_ADDRESS = 2 ** 32 - 1;

/** By the numbers C gives them. @type {import('./protocol.js').CostKind[]} */
const COST_KINDS = ['lstm', 'attention', 'self_attention'];

export class Engine {
  /** @type {any} */
  #exports;
  /** @type {boolean} */
  #simd;
  /** @type {Constants} */
  #constants;
  /** @type {EngineError | null} */
  #panic = null;
  /** @type {Map<number, {config: Config, tensors: Map<string, PlacedTensor>}>} */
  #sessions = new Map();

  /** @param {import('./wasm.js').WasmModule} module */
  constructor({ exports, simd }) {
    this.#exports = exports;
    this.#simd = simd;
    this.#constants = JSON.parse(this.#text(this.#call('attn_constants_json')));
  }

  constants() {
    return this.#constants;
  }

  /** @returns {Result<'usage'>} */
  usage() {
    const live = JSON.parse(this.#text(this.#call('attn_usage_json')));
    return { ...live, memory_bytes: this.#exports.memory.buffer.byteLength };
  }

  /**
   * @param {Args<'create'>} args
   * @returns {Result<'create'>}
   */
  create({ config: given }) {
    const { size, fields } = this.#constants.config;
    const config = completeConfig(fields, given);
    const session = this.#withHeap(size, (address) => {
      const view = new DataView(this.#exports.memory.buffer, address, size);
      for (const field of fields) {
        writeConfigField(view, field, config[field.name]);
      }
      return this.#check(this.#call('attn_session_create', address));
    });
    this.#sessions.set(session, { config, tensors: new Map() });
    try {
      const { n_parameters, bytes } = this.#describe(session);
      return { session, config, n_parameters, bytes, simd: this.#simd };
    } catch (error) {
      // Nobody would know its handle.
      if (!this.#panic) this.destroy({ session });
      throw error;
    }
  }

  /**
   * @param {Args<'destroy'>} args
   * @returns {Result<'destroy'>}
   */
  destroy({ session }) {
    this.#check(this.#call('attn_session_destroy', handle(session)));
    this.#sessions.delete(session);
    return {};
  }

  /** The sequences in a training batch of this session. @param {number} session */
  batchSize(session) {
    return Number(this.#session(session).config.batch_size);
  }

  /**
   * Trains whole steps in one go, however long they take.
   *
   * @param {{session: number, n_steps: number}} args
   * @returns {{metrics: Metrics[]}}
   */
  step({ session, n_steps }) {
    count('n_steps', n_steps);
    const { size } = this.#constants.metrics;
    return this.#withHeap(n_steps * size, (address) => {
      this.#check(this.#call('attn_session_step', handle(session), n_steps, address));
      const places = Array.from({ length: n_steps }, (_, i) => address + i * size);
      return { metrics: places.map((place) => this.#readMetrics(session, place)) };
    });
  }

  /**
   * Trains at most `n_sequences` of the running step's batch, rounded up to the session's chunk.
   *
   * @param {{session: number, n_sequences: number}} args
   * @returns {{n_left: number, metrics: Metrics | null}} metrics once the step is complete
   */
  stepAdvance({ session, n_sequences }) {
    return this.#advance('attn_session_step_advance', session, n_sequences);
  }

  /**
   * Measures in one go, however long it takes.
   *
   * @param {Args<'evaluate'>} args
   * @returns {Result<'evaluate'>}
   */
  evaluate({ session, seed, n_sequences }) {
    unsigned('seed', seed);
    count('n_sequences', n_sequences);
    return this.#withHeap(this.#constants.metrics.size, (address) => {
      this.#check(this.#call('attn_session_evaluate', handle(session), seed, n_sequences, address));
      return { metrics: this.#readMetrics(session, address) };
    });
  }

  /** Starts an evaluation for `evaluateAdvance`. @param {Args<'evaluate'>} args */
  evaluateBegin({ session, seed, n_sequences }) {
    unsigned('seed', seed);
    count('n_sequences', n_sequences);
    this.#check(this.#call('attn_session_evaluate_begin', handle(session), seed, n_sequences));
  }

  /**
   * @param {{session: number, n_sequences: number}} args
   * @returns {{n_left: number, metrics: Metrics | null}} metrics once nothing is left
   */
  evaluateAdvance({ session, n_sequences }) {
    return this.#advance('attn_session_evaluate_advance', session, n_sequences);
  }

  /**
   * @param {Args<'batch'>} args
   * @returns {Result<'batch'>}
   */
  batch({ session, seed, n_sequences }) {
    const seq_len = Number(this.#session(session).config.seq_len);
    unsigned('seed', seed);
    count('n_sequences', n_sequences);
    const n = n_sequences * seq_len;
    return this.#withHeap(8 * n, (tokens) => {
      const targets = tokens + 4 * n;
      this.#check(
        this.#call('attn_session_batch', handle(session), seed, n_sequences, tokens, targets),
      );
      const rows = (/** @type {number} */ address) =>
        Array.from({ length: n_sequences }, (_, i) =>
          this.#integers(address + 4 * i * seq_len, seq_len),
        );
      return { tokens: rows(tokens), targets: rows(targets) };
    });
  }

  /**
   * Reads one sequence; the activations of this reading are kept for `tensor` until the next one.
   *
   * @param {Args<'predict'>} args
   * @returns {Result<'predict'>}
   */
  predict({ session, tokens, names = [] }) {
    const vocab_size = Number(this.#session(session).config.vocab_size);
    const n = tokens.length;
    for (const [position, value] of tokens.entries()) {
      if (!Number.isInteger(value) || value !== (value | 0)) {
        throw new EngineError('BAD_TOKEN', `token ${value} at position ${position} is no integer`, {
          position,
          value: String(value),
        });
      }
    }
    const { logits, targets } = this.#withHeap(4 * n * (vocab_size + 2), (address) => {
      const [token_address, target_address, logit_address] = [0, n, 2 * n].map(
        (offset) => address + 4 * offset,
      );
      new Int32Array(this.#exports.memory.buffer, token_address, n).set(tokens);
      this.#check(
        this.#call('attn_session_predict', handle(session), token_address, n, logit_address),
      );
      this.#check(
        this.#call('attn_session_targets', handle(session), token_address, n, target_address),
      );
      return {
        logits: this.#floats(logit_address, [n, vocab_size]),
        targets: this.#integers(target_address, n),
      };
    });
    return {
      predicted: tokens.map((_, i) => largest(logits.data, i * vocab_size, vocab_size)),
      targets,
      logits,
      tensors: this.#copyTensors(session, names),
    };
  }

  /** The length of this session's sequences. @param {number} session */
  sequenceLength(session) {
    return Number(this.#session(session).config.seq_len);
  }

  /**
   * How strongly output `i` of the last reading hangs on each of its inputs; drops the gradients.
   *
   * @param {{session: number, i: number}} args
   * @returns {Float32Array}
   */
  sensitivityRow({ session, i }) {
    const seq_len = this.sequenceLength(session);
    return this.#withHeap(4 * seq_len, (address) => {
      this.#check(this.#call('attn_session_sensitivity_row', handle(session), i, address));
      return this.#floats(address, [seq_len]).data;
    });
  }

  /**
   * All rows in one go, however long they take.
   *
   * @param {Args<'sensitivity'>} args
   * @returns {Result<'sensitivity'>}
   */
  sensitivity({ session }) {
    const seq_len = this.sequenceLength(session);
    return this.#withHeap(4 * seq_len * seq_len, (address) => {
      this.#check(this.#call('attn_session_sensitivity', handle(session), address));
      return this.#floats(address, [seq_len, seq_len]);
    });
  }

  /**
   * @param {Args<'tensors'>} args
   * @returns {Result<'tensors'>}
   */
  tensors({ session }) {
    const { tensors } = this.#describe(session);
    return { tensors: tensors.map(({ name, kind, shape }) => ({ name, kind, shape })) };
  }

  /**
   * @param {Args<'tensor'>} args
   * @returns {Result<'tensor'>}
   */
  tensor({ session, name }) {
    return this.#copyTensors(session, [name])[0];
  }

  /**
   * @param {Args<'attention_check'>} args
   * @returns {Result<'attention_check'>}
   */
  attentionCheck({ seed, n, d }) {
    unsigned('seed', seed);
    const n_floats = this.#check(
      this.#call('attn_attention_check_floats', integer('n', n), integer('d', d)),
    );
    return this.#withHeap(4 * n_floats, (start) => {
      this.#check(this.#call('attn_attention_check', seed, n, d, start));
      let address = start;
      const next = (/** @type {number} */ columns) => {
        const tensor = this.#floats(address, [n, columns]);
        address += 4 * tensor.data.length;
        return tensor;
      };
      return {
        query: next(d),
        key: next(d),
        value: next(d),
        scores: next(n),
        weights: next(n),
        output: next(d),
        causal_scores: next(n),
        causal_weights: next(n),
        causal_output: next(d),
      };
    });
  }

  /**
   * @param {Args<'positional'>} args
   * @returns {Result<'positional'>}
   */
  positional({ seq_len, d_model, base = LESSON_BASE }) {
    count('seq_len', seq_len);
    count('d_model', d_model);
    return this.#withHeap(4 * seq_len * d_model, (address) => {
      this.#check(this.#call('attn_positional', address, seq_len, d_model, base));
      return this.#floats(address, [seq_len, d_model]);
    });
  }

  /**
   * @param {Args<'attention'>} args
   * @returns {Result<'attention'>}
   */
  attention({ query, key, value, scale, causal }) {
    const [n_query, d] = query.shape;
    const [n_key, d_value] = value.shape;
    if (key.shape[0] !== n_key || key.shape[1] !== d || n_query !== n_key || d !== d_value) {
      throw new EngineError('BAD_ARGUMENT', 'query, key and value must have one shape', {});
    }
    const [vectors, map] = [n_query * d, n_query * n_query];
    return this.#withHeap(4 * (5 * vectors + 2 * map), (start) => {
      const places = [vectors, vectors, vectors, map, map, vectors, vectors];
      const addresses = places.map(
        (_, i) => start + 4 * places.slice(0, i).reduce((sum, n) => sum + n, 0),
      );
      const [q, k, v, scores, weights, output, plain] = addresses;
      for (const [i, tensor] of [query, key, value].entries()) {
        new Float32Array(this.#exports.memory.buffer, addresses[i], vectors).set(tensor.data);
      }
      const masked = Number(causal);
      this.#check(
        this.#call(
          'attn_attention',
          output,
          weights,
          scores,
          q,
          k,
          v,
          n_query,
          n_key,
          d,
          d_value,
          scale,
          masked,
        ),
      );
      this.#check(this.#call('attn_attention_plain', plain, q, k, v, n_query, d, scale, masked));
      return {
        scores: this.#floats(scores, [n_query, n_key]),
        weights: this.#floats(weights, [n_query, n_key]),
        output: this.#floats(output, [n_query, d_value]),
        plain_output: this.#floats(plain, [n_query, d_value]),
      };
    });
  }

  /**
   * @param {Args<'rotation_matrix'>} args
   * @returns {Result<'rotation_matrix'>}
   */
  rotationMatrix({ d_model, k, base = LESSON_BASE }) {
    count('d_model', d_model);
    integer('k', k);
    return this.#withHeap(4 * d_model * d_model, (address) => {
      this.#check(this.#call('attn_rotation_matrix', address, d_model, k, base));
      return this.#floats(address, [d_model, d_model]);
    });
  }

  /**
   * Without `first_pair` and `n_pairs` the head owns all pairs.
   *
   * @param {Args<'rotation_map'>} args
   * @returns {Result<'rotation_map'>}
   */
  rotationMap({
    seq_len,
    d_model,
    first_pair = 0,
    n_pairs = d_model / 2,
    k,
    sharpness,
    base = LESSON_BASE,
  }) {
    count('seq_len', seq_len);
    count('d_model', d_model);
    integer('first_pair', first_pair);
    integer('n_pairs', n_pairs);
    integer('k', k);
    return this.#withHeap(4 * seq_len * seq_len, (address) => {
      this.#check(
        this.#call(
          'attn_rotation_map',
          address,
          seq_len,
          d_model,
          first_pair,
          n_pairs,
          k,
          sharpness,
          base,
        ),
      );
      return this.#floats(address, [seq_len, seq_len]);
    });
  }

  /**
   * @param {Args<'mute_head'>} args
   * @returns {Result<'mute_head'>}
   */
  muteHead({ session, layer, head, muted }) {
    integer('layer', layer);
    integer('head', head);
    this.#check(this.#call('attn_session_mute_head', handle(session), layer, head, Number(muted)));
    return {};
  }

  /**
   * @param {Args<'cost_begin'>} args
   * @returns {Result<'cost_begin'>}
   */
  costBegin({ kind, n, d }) {
    const number = COST_KINDS.indexOf(kind);
    count('n', n);
    count('d', d);
    const job = this.#check(this.#call('attn_cost_create', number, n, d));
    return { job, multiply_adds: this.#call('attn_cost_multiply_adds', number, n, d) };
  }

  /** @param {{job: number, n_runs: number}} args */
  costRun({ job, n_runs }) {
    this.#check(this.#call('attn_cost_run', handle(job), n_runs));
  }

  /**
   * @param {Args<'cost_free'>} args
   * @returns {Result<'cost_free'>}
   */
  costFree({ job }) {
    this.#check(this.#call('attn_cost_destroy', handle(job)));
    return {};
  }

  /**
   * @param {Args<'sharpness_begin'>} args
   * @returns {Result<'sharpness_begin'>}
   */
  sharpnessBegin({ seed, n_skip, dims }) {
    unsigned('seed', seed);
    integer('n_skip', n_skip);
    for (const d of dims) {
      integer('dims', d);
    }
    const job = this.#withHeap(4 * dims.length, (address) => {
      new Int32Array(this.#exports.memory.buffer, address, dims.length).set(dims);
      return this.#check(this.#call('attn_sharpness_begin', seed, n_skip, address, dims.length));
    });
    return { job, n_units: this.jobUnits(job) };
  }

  /** The units of work left of a job. @param {number} job */
  jobUnits(job) {
    return this.#check(this.#call('attn_job_units', handle(job)));
  }

  /**
   * Works at least one and at most `n_units` units; returns how many are left.
   *
   * @param {{job: number, n_units: number}} args
   */
  jobAdvance({ job, n_units }) {
    return this.#check(this.#call('attn_job_advance', handle(job), n_units));
  }

  /**
   * The dimensions that are finished, in the order they were given.
   *
   * @param {{job: number}} args
   * @returns {Sharpness[]}
   */
  sharpnessResults({ job }) {
    this.jobUnits(job);
    const { size, fields } = this.#constants.sharpness;
    return this.#withHeap(size, (address) => {
      const results = [];
      // The first index that is refused is not finished yet, or one past the last.
      while (this.#call('attn_sharpness_result', job, results.length, address) >= 0) {
        results.push(/** @type {any} */ (this.#readStruct(fields, address)));
      }
      return results;
    });
  }

  /**
   * @param {Args<'sharpness_free'>} args
   * @returns {Result<'sharpness_free'>}
   */
  sharpnessFree({ job }) {
    this.#check(this.#call('attn_job_free', handle(job)));
    return {};
  }

  /**
   * Calls an exported function. Whatever it throws is a trap: the instance is in an unknown
   * state and never called again.
   *
   * @param {string} name
   * @param {...number} args
   * @returns {number}
   */
  #call(name, ...args) {
    if (this.#panic) {
      throw this.#panic;
    }
    try {
      return this.#exports[name](...args);
    } catch (error) {
      const condition = this.#text(this.#exports.attn_panic_message());
      const trap = error instanceof Error ? error.message : String(error);
      this.#panic = new EngineError('PANIC', condition || trap, { call: name, trap });
      throw this.#panic;
    }
  }

  /** A result as it is, a negative status as an error. @param {number} value */
  #check(value) {
    if (value >= 0) {
      return value;
    }
    throw this.#lastError();
  }

  /** What the last call that failed says about itself. */
  #lastError() {
    const { name, message, code, ...detail } = JSON.parse(
      this.#text(this.#call('attn_error_json')),
    );
    return new EngineError(name, message, { status: code, ...detail });
  }

  /**
   * Lends `n_bytes` of the heap to `use` and takes them back, whatever happens.
   *
   * @template R
   * @param {number} n_bytes
   * @param {(address: number) => R} use
   * @returns {R}
   */
  #withHeap(n_bytes, use) {
    // More than an address can reach would arrive in C as its low 32 bits.
    const address =
      n_bytes > MAX_ADDRESS ? 0 : this.#call('attn_alloc', Math.max(1, n_bytes)) >>> 0;
    if (address === 0) {
      throw new EngineError('OUT_OF_MEMORY', `there is no memory for ${n_bytes} more bytes`, {
        bytes: n_bytes,
      });
    }
    try {
      return use(address);
    } finally {
      if (!this.#panic) {
        this.#call('attn_free', address);
      }
    }
  }

  /**
   * @param {string} name of an exported function that takes a handle, an amount and metrics
   * @param {number} session
   * @param {number} n_sequences
   */
  #advance(name, session, n_sequences) {
    return this.#withHeap(this.#constants.metrics.size, (address) => {
      const n_left = this.#check(this.#call(name, handle(session), n_sequences, address));
      return { n_left, metrics: n_left === 0 ? this.#readMetrics(session, address) : null };
    });
  }

  /** @param {number} session */
  #session(session) {
    const known = this.#sessions.get(session);
    if (!known) {
      throw new EngineError('BAD_HANDLE', `${session} names no live session`);
    }
    return known;
  }

  /** @param {number} address @returns {string} */
  #text(address) {
    const bytes = new Uint8Array(this.#exports.memory.buffer, address >>> 0);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  /** @param {number} address @param {number[]} shape @returns {Tensor} */
  #floats(address, shape) {
    const n = shape.reduce((product, length) => product * length, 1);
    return { shape, data: new Float32Array(this.#exports.memory.buffer, address, n).slice() };
  }

  /** @param {number} address @param {number} n */
  #integers(address, n) {
    return Array.from(new Int32Array(this.#exports.memory.buffer, address, n));
  }

  /**
   * Arrays have room for the longest sequence there can be; what lies beyond this session's is cut.
   *
   * @param {number} session
   * @param {number} address
   * @returns {Metrics}
   */
  #readMetrics(session, address) {
    const seq_len = Number(this.#session(session).config.seq_len);
    const metrics = this.#readStruct(this.#constants.metrics.fields, address);
    const entries = Object.entries(metrics).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, seq_len) : value,
    ]);
    return Object.fromEntries(entries);
  }

  /** @param {StructField[]} fields @param {number} address */
  #readStruct(fields, address) {
    const view = new DataView(this.#exports.memory.buffer);
    const entries = fields.map(({ name, type, offset, count: n }) => {
      const values = Array.from({ length: n }, (_, i) =>
        readNumber(view, type, address + offset + 4 * i),
      );
      return [name, n > 1 ? values : values[0]];
    });
    return Object.fromEntries(entries);
  }

  /**
   * What the session holds. The addresses stay true for its whole life: it is one arena.
   *
   * @param {number} session
   * @returns {{n_parameters: number, bytes: number, tensors: PlacedTensor[]}}
   */
  #describe(session) {
    const address = this.#call('attn_session_tensors_json', handle(session));
    if (address === 0) {
      throw this.#lastError();
    }
    const description = JSON.parse(this.#text(address));
    this.#session(session).tensors = new Map(
      description.tensors.map((/** @type {PlacedTensor} */ tensor) => [tensor.name, tensor]),
    );
    return description;
  }

  /** @param {number} session @param {string[]} names @returns {Tensor[]} */
  #copyTensors(session, names) {
    const { tensors } = this.#session(session);
    return names.map((name) => {
      const placed = tensors.get(name);
      if (!placed) {
        throw new EngineError('BAD_ARGUMENT', `the session holds no tensor '${name}'`, { name });
      }
      return this.#floats(placed.offset, placed.shape);
    });
  }
}

/**
 * @param {DataView} view
 * @param {StructField['type']} type
 * @param {number} address
 */
function readNumber(view, type, address) {
  switch (type) {
    case 'int':
      return view.getInt32(address, true);
    case 'uint':
      return view.getUint32(address, true);
    case 'float':
      return view.getFloat32(address, true);
  }
}

/**
 * The given values over the defaults, each of the type its field has. Whether a number lies in
 * its range is decided in C; here it only has to survive the way there.
 *
 * @param {ConfigField[]} fields
 * @param {Config} given
 * @returns {Config}
 */
function completeConfig(fields, given) {
  for (const name of Object.keys(given)) {
    if (!fields.some((field) => field.name === name)) {
      throw new EngineError('CONFIG_RANGE', `the configuration has no field '${name}'`, {
        field: name,
        value: String(given[name]),
        rule: 'unknown',
      });
    }
  }
  return Object.fromEntries(
    fields.map((field) => [field.name, completeField(field, given[field.name])]),
  );
}

/** @param {ConfigField} field @param {Config[string] | undefined} value @returns {Config[string]} */
function completeField(field, value) {
  const { name, type, min, max, values = [] } = field;
  const fits =
    value === undefined ||
    {
      int: Number.isInteger(value) && value === (Number(value) | 0),
      uint: Number.isInteger(value) && value === Number(value) >>> 0,
      float: typeof value === 'number',
      bool: typeof value === 'boolean',
      enum: values.includes(String(value)),
    }[type];
  if (!fits) {
    const allowed = type === 'enum' ? values.join(', ') : `${type} from ${min} to ${max}`;
    throw new EngineError('CONFIG_RANGE', `${name} cannot be ${value}: ${allowed}`, {
      field: name,
      value: String(value),
      min,
      max,
      rule: type === 'enum' ? values.join(' ') : type,
    });
  }
  return value ?? decodeDefault(field);
}

/** @param {ConfigField} field */
function decodeDefault({ type, default: value, values = [] }) {
  return type === 'enum' ? values[value] : type === 'bool' ? value !== 0 : value;
}

/**
 * Every field is four bytes wide: an integer, an unsigned integer or a float.
 *
 * @param {DataView} view
 * @param {ConfigField} field
 * @param {Config[string]} value
 */
function writeConfigField(view, { type, offset, values = [] }, value) {
  if (type === 'float') {
    view.setFloat32(offset, Number(value), true);
  } else if (type === 'uint') {
    view.setUint32(offset, Number(value), true);
  } else {
    view.setInt32(offset, type === 'enum' ? values.indexOf(String(value)) : Number(value), true);
  }
}

/** A number C can look up: what is no integer becomes 0, which names nothing. @param {number} value */
function handle(value) {
  return Number.isInteger(value) ? value : 0;
}

/** @param {string} argument @param {number} value @param {number} [min] @param {number} [max] */
function integer(argument, value, min = -(2 ** 31), max = 2 ** 31 - 1) {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new EngineError('BAD_ARGUMENT', `${argument} cannot be ${value}`, {
      argument,
      value: String(value),
      min,
      max,
    });
  }
  return value;
}

/** @param {string} argument @param {number} value */
function count(argument, value) {
  return integer(argument, value, 1);
}

/** @param {string} argument @param {number} value */
function unsigned(argument, value) {
  return integer(argument, value, 0, 2 ** 32 - 1);
}

/** The index of the largest of `n` values, counted from `start`. @param {Float32Array} data @param {number} start @param {number} n */
function largest(data, start, n) {
  let best = 0;
  for (let i = 1; i < n; i++) {
    if (data[start + i] > data[start + best]) {
      best = i;
    }
  }
  return best;
}
