/**
 * The lines the lesson's two scripts print, from numbers: Python's and PyTorch's ways of writing
 * them, and nothing else.
 */

/** @typedef {import('./protocol.js').Metrics} Metrics */
/** @typedef {import('./protocol.js').Sharpness} Sharpness */
/** @typedef {import('./protocol.js').Tensor} Tensor */

const NO_RECORD = '沒有 PyTorch 的紀錄';

/**
 * What attention_check.py prints.
 *
 * @param {object} numbers
 * @param {string} [numbers.label] what the first line says was compared
 * @param {boolean | null} numbers.same our output is PyTorch's; null: nothing to compare with
 * @param {boolean | null} numbers.same_causal
 * @param {Tensor} numbers.causal_weights
 * @param {Pick<Sharpness, 'd' | 'variance' | 'max_raw' | 'max_scaled'>[]} numbers.sharpness
 * @returns {string[]}
 */
export function attentionCheckLines({
  label = '自己寫的 = PyTorch 內建',
  same,
  same_causal,
  causal_weights,
  sharpness,
}) {
  return [
    `${label}： ${pythonBoolean(same)}`,
    `因果遮罩也相同： ${pythonBoolean(same_causal)}`,
    '因果遮罩的權重（上三角為 0）：',
    ...tensorLines(causal_weights, 2),
    ...sharpness.map(sharpnessLine),
  ];
}

/**
 * The line attention_check.py prints for one dimension.
 *
 * @param {Pick<Sharpness, 'd' | 'variance' | 'max_raw' | 'max_scaled'>} numbers
 */
export function sharpnessLine({ d, variance, max_raw, max_scaled }) {
  return (
    `d = ${String(d).padStart(3)}：q·k 變異數 ${pythonFixed(variance, 1).padStart(6)}，` +
    `最大權重平均 不縮放 ${pythonFixed(max_raw, 2)}／除以 √d ${pythonFixed(max_scaled, 2)}`
  );
}

/**
 * The line reverse_seq.py prints for one network.
 *
 * @param {string} name
 * @param {number} n_parameters
 * @param {Pick<Metrics, 'digits' | 'n_digits' | 'sequences' | 'n_sequences'>} metrics
 */
export function reverseLine(name, n_parameters, { digits, n_digits, sequences, n_sequences }) {
  const padding = ' '.repeat(Math.max(0, 11 - [...name].length));
  return (
    `${name}${padding}：參數 ${String(n_parameters).padStart(5)}，` +
    `每個數字的正確率 ${percentOfMean(digits, n_digits)}，` +
    `整串全對 ${percentOfMean(sequences, n_sequences)}`
  );
}

/**
 * The file reverse_seq.py writes, as Python's json.dumps lays it out.
 *
 * @param {Tensor} attention
 * @param {number[]} tokens
 */
export function reverseJson({ shape: [rows, columns], data }, tokens) {
  const lists = Array.from({ length: rows }, (_, i) => {
    const row = data.subarray(i * columns, (i + 1) * columns);
    return `[${Array.from(row, pythonRepr).join(', ')}]`;
  });
  return `{"att": [${lists.join(', ')}], "x": [${tokens.join(', ')}]}`;
}

/**
 * torch.allclose(ours, reference, atol=1e-6) with its default rtol: |a - b| <= atol + rtol |b|.
 *
 * @param {ArrayLike<number>} ours
 * @param {ArrayLike<number>} reference
 */
export function allClose(ours, reference) {
  return (
    ours.length === reference.length &&
    Array.from(ours).every(
      (a, i) => Math.abs(a - reference[i]) <= 1e-6 + 1e-5 * Math.abs(reference[i]),
    )
  );
}

/**
 * A share of right answers as f'{mean:.1%}' writes it; the scripts' means are 32-bit floats.
 *
 * @param {number} right
 * @param {number} total
 */
export function percentOfMean(right, total) {
  return `${pythonFixed(Math.fround(right / total) * 100, 1)}%`;
}

/**
 * f'{x:.{digits}f}': the exact binary value, ties to the even digit. (toFixed breaks ties upwards.)
 *
 * @param {number} x
 * @param {number} digits
 */
export function pythonFixed(x, digits) {
  if (!Number.isFinite(x)) {
    return Number.isNaN(x) ? 'nan' : x > 0 ? 'inf' : '-inf';
  }
  const { negative, numerator, denominator } = exactFraction(x);
  const scaled = numerator * 10n ** BigInt(digits);
  let quotient = scaled / denominator;
  const twice_rest = 2n * (scaled % denominator);
  if (twice_rest > denominator || (twice_rest === denominator && quotient % 2n === 1n)) {
    quotient += 1n;
  }
  const text = quotient.toString().padStart(digits + 1, '0');
  const point = text.length - digits;
  const fraction = digits > 0 ? `.${text.slice(point)}` : '';
  return `${negative ? '-' : ''}${text.slice(0, point)}${fraction}`;
}

/** repr(float): the shortest decimal that reads back, with Python's choice of exponents. @param {number} x */
export function pythonRepr(x) {
  if (!Number.isFinite(x)) {
    return Number.isNaN(x) ? 'NaN' : x > 0 ? 'Infinity' : '-Infinity';
  }
  const [mantissa, exponent_text] = x.toExponential().split('e');
  const exponent = Number(exponent_text);
  if (x !== 0 && (exponent < -4 || exponent >= 16)) {
    const sign = exponent < 0 ? '-' : '+';
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  const n_decimals = Math.max(1, mantissa.replace(/^-?\d\.?/, '').length - exponent);
  return pythonFixed(x, n_decimals);
}

/** @param {boolean | null} value */
function pythonBoolean(value) {
  return value === null ? NO_RECORD : value ? 'True' : 'False';
}

/** Columns that PyTorch fills, and those before the first value of a row. */
const LINE_WIDTH = 80;
const INDENT = 8;

/**
 * print('\\n', weights.round(decimals=digits)) for a matrix of weights, all in 0..1: four decimals,
 * or none where every weight is whole. The space that print puts between its arguments leads. A row
 * too long for a line goes on in the next.
 *
 * @param {Tensor} weights
 * @param {number} digits
 */
function tensorLines({ shape: [rows, columns], data }, digits) {
  const rounded = Array.from(data, (weight) => roundDecimals(weight, digits));
  const whole = rounded.every(Number.isInteger);
  const texts = rounded.map((weight) => (whole ? `${weight}.` : pythonFixed(weight, 4)));
  const width = Math.max(...texts.map((text) => text.length));
  const per_line = Math.floor((LINE_WIDTH - INDENT) / (width + 2));
  return Array.from({ length: rows }, (_, i) => {
    const row = texts.slice(i * columns, (i + 1) * columns);
    const lines = Array.from({ length: Math.ceil(columns / per_line) }, (__, line) =>
      row.slice(line * per_line, (line + 1) * per_line).join(', '),
    );
    const start = i === 0 ? ' tensor([' : ' '.repeat(INDENT);
    const end = i === rows - 1 ? '])' : ',';
    return `${start}[${lines.join(`,\n${' '.repeat(INDENT + 1)}`)}]${end}`.split('\n');
  }).flat();
}

/**
 * torch.round(x, decimals=digits) in 32-bit floats: scale, round half to even, scale back.
 *
 * @param {number} x
 * @param {number} digits
 */
function roundDecimals(x, digits) {
  const scale = 10 ** digits;
  return Math.fround(Number(pythonFixed(Math.fround(x * scale), 0)) / scale);
}

/**
 * |x| as a fraction of integers, exactly: a double is an integer times a power of two.
 *
 * @param {number} x finite
 */
function exactFraction(x) {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const biased = (word >> 52n) & 0x7ffn;
  const significand = (word & 0xfffffffffffffn) | (biased > 0n ? 1n << 52n : 0n);
  const exponent = (biased > 0n ? biased : 1n) - 1075n;
  return {
    negative: word >> 63n === 1n,
    numerator: exponent > 0n ? significand << exponent : significand,
    denominator: exponent > 0n ? 1n : 1n << -exponent,
  };
}
