/** @typedef {Record<string, number | string | boolean>} Settings */

/** The lesson's two networks, and others that between them use every kernel. */
export const CONFIGURATIONS = /** @type {[string, Settings][]} */ ([
  ['the lesson', {}],
  [
    'two pre-norm causal layers with four heads and GELU',
    { n_layers: 2, norm_first: true, causal: true, n_heads: 4, activation: 'gelu', task: 'shift' },
  ],
  [
    'odd sizes, tanh GELU, no positions, unscaled',
    {
      seq_len: 7,
      vocab_size: 13,
      d_model: 22,
      n_heads: 2,
      d_ff: 37,
      activation: 'gelu_tanh',
      positions: false,
      scale: 'none',
      batch_size: 19,
      task: 'sort',
    },
  ],
  [
    'three post-norm layers, another seed and a large learning rate',
    {
      n_layers: 3,
      n_heads: 8,
      d_model: 48,
      scale: 'd_k',
      learning_rate: 0.03,
      init_seed: 4294967295,
      data_seed: 7,
      batch_size: 16,
      task: 'copy',
    },
  ],
  ['the lesson’s bidirectional LSTM', { model: 'bilstm', skip_batches: 1500 }],
  [
    'a bidirectional LSTM of odd sizes',
    {
      model: 'bilstm',
      seq_len: 7,
      vocab_size: 13,
      d_model: 22,
      d_hidden: 19,
      batch_size: 19,
      learning_rate: 0.01,
      task: 'sort',
    },
  ],
]);

export const N_STEPS = 200;

/**
 * What tests/c/parameters_hash.c prints, computed by a WebAssembly build. The function stands on
 * its own, without imports, so that a test can also send it into a page.
 *
 * @param {{base64: string, settings: Settings, n_steps: number}} args
 * @returns {Promise<string>}
 */
export async function parametersHash({ base64, settings, n_steps }) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const attn = /** @type {any} */ (instance.exports);
  attn._initialize();

  const view = () => new DataView(attn.memory.buffer);
  /** @param {number} address */
  const text = (address) => {
    const memory = new Uint8Array(attn.memory.buffer);
    return new TextDecoder().decode(memory.slice(address, memory.indexOf(0, address)));
  };
  /** @param {number} result */
  const checked = (result) => {
    if (result < 0) throw new Error(text(attn.attn_error_json()));
    return result;
  };

  const { config, metrics } = JSON.parse(text(attn.attn_constants_json()));
  const config_address = attn.attn_alloc(config.size);
  for (const { name, type, offset, default: initial, values } of config.fields) {
    const given = settings[name] ?? (type === 'enum' ? values[initial] : initial);
    const value = type === 'enum' ? values.indexOf(given) : Number(given);
    if (type === 'float') view().setFloat32(config_address + offset, value, true);
    else view().setUint32(config_address + offset, value, true);
  }
  const session = checked(attn.attn_session_create(config_address));
  const metrics_address = attn.attn_alloc(metrics.size * n_steps);
  checked(attn.attn_session_step(session, n_steps, metrics_address));

  let hash = 0xcbf29ce484222325n;
  const { tensors } = JSON.parse(text(attn.attn_session_tensors_json(session)));
  for (const { kind, shape, offset } of tensors) {
    if (kind !== 'parameter') continue;
    const n_bytes =
      4 * shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
    for (const byte of new Uint8Array(attn.memory.buffer, offset, n_bytes)) {
      hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
    }
  }
  return hash.toString(16).padStart(16, '0');
}

/**
 * The arguments of tests/c/parameters_hash.c for the same run.
 *
 * @param {Settings} settings
 * @param {number} n_steps
 */
export function programArguments(settings, n_steps) {
  const fields = Object.entries(settings).map(([name, value]) => {
    return `${name}=${typeof value === 'boolean' ? Number(value) : value}`;
  });
  return [`n_steps=${n_steps}`, ...fields];
}
