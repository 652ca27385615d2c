/**
 * What the page and the engine's worker say to each other: types and nothing else.
 *
 * The page sends `Request`; the worker answers each one exactly once with the same id
 * and either a result or an error. Training is pulled: no message comes unasked.
 * Names and numbers are those of the C interface (`c_src/exports.h`), snake_case included.
 */

/**
 * The configuration of a session; fields, ranges and defaults are `Constants.config`.
 * Enumerations cross as the names C gives them ('reverse', 'sqrt_d_k'), switches as booleans.
 *
 * @typedef {Record<string, number | string | boolean>} Config
 */

/**
 * @typedef {object} ConfigField
 * @property {string} name
 * @property {'int' | 'uint' | 'float' | 'bool' | 'enum'} type
 * @property {number} offset bytes from the start of the struct
 * @property {number} default
 * @property {number} min
 * @property {number} max
 * @property {string[]} [values] names of an enumeration, by number
 * @property {boolean[]} [available] which of `values` this build computes
 */

/**
 * @typedef {object} StructField
 * @property {string} name
 * @property {'int' | 'uint' | 'float'} type
 * @property {number} offset
 * @property {number} count more than 1 for an array
 */

/**
 * @typedef {object} Constants
 * @property {string} version
 * @property {Record<string, number>} status
 * @property {{size: number, fields: ConfigField[]}} config
 * @property {{size: number, fields: StructField[]}} metrics
 * @property {{size: number, fields: StructField[]}} sharpness
 * @property {number} session_max_bytes
 */

/**
 * The measurements of one training step (on its batch, before the update) or one evaluation.
 *
 * @typedef {object} Metrics
 * @property {number} step updates made so far, this one included
 * @property {number} n_sequences sequences measured
 * @property {number} n_digits tokens measured
 * @property {number} digits tokens predicted right
 * @property {number} sequences sequences predicted right from end to end
 * @property {number} loss mean cross entropy, nats
 * @property {number} grad_norm Euclidean norm of all gradients; 0 in an evaluation
 * @property {number[]} position_digits right tokens at each position
 * @property {number[]} position_loss mean cross entropy at each position, nats
 */

/** @typedef {{shape: number[], data: Float32Array}} Tensor */

/**
 * @typedef {object} TensorInfo
 * @property {string} name PyTorch's name; a gradient ends in `.grad`
 * @property {'parameter' | 'gradient' | 'buffer' | 'activation'} kind
 * @property {number[]} shape
 */

/**
 * One dimension of the sharpness statistics (the second half of attention_check.py). The scores
 * of 8000 rows are taken as they are (`raw`), divided by √d (`scaled`) and by d (`over_d`).
 *
 * @typedef {object} Sharpness
 * @property {number} d
 * @property {number} variance unbiased variance of q·k over 10 000 pairs
 * @property {number} variance_scaled the same of q·k / √d
 * @property {number} max_raw mean largest softmax weight of a row
 * @property {number} max_scaled
 * @property {number} max_over_d
 * @property {number} gradient_raw mean Frobenius norm of diag(α) − ααᵀ
 * @property {number} gradient_scaled
 * @property {number} gradient_over_d
 * @property {number[]} histogram_raw rows by their largest weight, bins of equal width in 0..1
 * @property {number[]} histogram_scaled
 * @property {number[]} histogram_over_d
 * @property {number[]} sample_raw the weights of the very first row
 * @property {number[]} sample_scaled
 * @property {number[]} sample_over_d
 */

/** A layer whose cost is counted and timed: one direction of an LSTM, attention alone, or with its projections. @typedef {'lstm' | 'attention' | 'self_attention'} CostKind */

/**
 * `start` comes first and once, and says where the two builds lie. `watch` of a step: after every
 * update the network reads `tokens`, and the named tensors (parameters or activations of that
 * reading) are copied into `watched`, one row a step. `sharpness_advance` does one piece of the
 * work and returns the dimensions finished so far. `sensitivity`: entry (i, j) is the Frobenius
 * norm of d logits_i / d (embedding + position)_j at the last `predict`. `attention` also computes
 * the output by plain loops that share no code. `mute_head` silences a head of a session, or lets it
 * speak again. `cost_advance` runs the layer for one piece of time and says how often, how long, and
 * how long a run took where it was interrupted least. `ping` is answered before all else.
 *
 * @typedef {object} Requests
 * @property {{args: {urls: {simd: string, scalar: string}, scalar?: boolean}, result: {simd: boolean}}} start
 * @property {{args: {}, result: {}}} ping
 * @property {{args: {}, result: Constants}} constants
 * @property {{args: {config: Config}, result: {session: number, config: Config, n_parameters: number, bytes: number, simd: boolean}}} create
 * @property {{args: {session: number}, result: {}}} destroy
 * @property {{args: {session: number, n_steps: number, watch?: {tokens: number[], names: string[]}}, result: {metrics: Metrics[], watched: Tensor[][]}}} step
 * @property {{args: {session: number, seed: number, n_sequences: number}, result: {metrics: Metrics}}} evaluate
 * @property {{args: {session: number, seed: number, n_sequences: number}, result: {tokens: number[][], targets: number[][]}}} batch
 * @property {{args: {session: number, tokens: number[], names?: string[]}, result: {predicted: number[], targets: number[], logits: Tensor, tensors: Tensor[]}}} predict
 * @property {{args: {session: number}, result: Tensor}} sensitivity
 * @property {{args: {session: number}, result: {tensors: TensorInfo[]}}} tensors
 * @property {{args: {session: number, name: string}, result: Tensor}} tensor
 * @property {{args: {seed: number, n: number, d: number}, result: {query: Tensor, key: Tensor, value: Tensor, scores: Tensor, weights: Tensor, output: Tensor, causal_scores: Tensor, causal_weights: Tensor, causal_output: Tensor}}} attention_check
 * @property {{args: {seed: number, n_skip: number, dims: number[]}, result: {job: number, n_units: number}}} sharpness_begin
 * @property {{args: {job: number}, result: {n_left: number, results: Sharpness[]}}} sharpness_advance
 * @property {{args: {job: number}, result: {}}} sharpness_free
 * @property {{args: {seq_len: number, d_model: number, base?: number}, result: Tensor}} positional
 * @property {{args: {query: Tensor, key: Tensor, value: Tensor, scale: number, causal: boolean}, result: {scores: Tensor, weights: Tensor, output: Tensor, plain_output: Tensor}}} attention
 * @property {{args: {d_model: number, k: number, base?: number}, result: Tensor}} rotation_matrix
 * @property {{args: {seq_len: number, d_model: number, first_pair?: number, n_pairs?: number, k: number, sharpness: number, base?: number}, result: Tensor}} rotation_map
 * @property {{args: {session: number, layer: number, head: number, muted: boolean}, result: {}}} mute_head
 * @property {{args: {kind: CostKind, n: number, d: number}, result: {job: number, multiply_adds: number}}} cost_begin
 * @property {{args: {job: number}, result: {n_runs: number, ms: number, fastest_ms: number}}} cost_advance
 * @property {{args: {job: number}, result: {}}} cost_free
 * @property {{args: {}, result: {sessions: number, jobs: number, memory_bytes: number}}} usage
 */

/** @typedef {keyof Requests} RequestType */

/** @typedef {{id: number, type: RequestType, args: Requests[RequestType]['args']}} Request */

/**
 * An error as data. `code` is a status name of `Constants.status` (`CONFIG_RANGE`), or `PANIC`
 * (a broken promise inside C: the instance is finished), `NO_WASM`, `LOAD_FAILED`, `WORKER_FAILED`.
 * `detail` says more where the engine knows more: `{field, value, min, max, rule, bytes, limit}`.
 *
 * @typedef {object} ErrorData
 * @property {string} code
 * @property {string} message
 * @property {Record<string, string | number>} detail
 */

/** @typedef {{id: number, result: unknown} | {id: number, error: ErrorData}} Response */

export {};
