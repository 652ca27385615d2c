/** Words of `attn-positions`. */
export const zhHant = {
  'positions.title': '位置編碼，與兩個位置的內積',
  'positions.look': '按「播放」讓 p 走一遍：不論 p 是多少，內積都落在同一條曲線上，k = 0 時最大。',
  'positions.map': '位置編碼 PE（{seq_len} 個位置 × {d_model} 維）',
  'positions.map.label':
    '位置編碼的圖，{seq_len} 列（位置）乘 {d_model} 欄（維度），值從 −1 到 1。用方向鍵逐格讀。',
  'positions.map.row': '位置 p',
  'positions.map.column': '維度 →（左邊頻率高、右邊頻率低）',
  'positions.bar': '值，從 −1 到 1',
  'positions.cell': 'PE({p}, {column}) = {value}',
  'positions.curve': '內積 PE(p)·PE(p+k) ÷ (d/2)',
  'positions.curve.label':
    '內積隨位置差 k 的曲線，k 從 {first} 到 {last}。k = 0 時是 {greatest}，最大。p = {p} 的點都在所有 p 的平均線上。',
  'positions.curve.k': '位置差 k',
  'positions.curve.p': '所選的 p',
  'positions.curve.all': '所有 p 的平均',
  'positions.wave': '第 {column} 維，波長 {period}',
  'positions.wave.label': '第 {column} 維的值隨位置 p 起伏，波長 {period} 個位置。',
  'positions.play': '播放',
  'positions.pause': '暫停',
  'positions.p': '位置 p',
  'positions.dimension': '維度',
  'positions.d_model': '向量維度 d',
  'positions.base': '底數',
  'positions.spread': '不同的 p 之間最多差',
  'positions.greatest': 'k = 0 的內積',
  'positions.greatest.value': '{value} × d/2',
  'positions.table': 'p = {p} 的內積，除以 d/2',
  'positions.table.k': '位置差 k',
  'positions.table.p': 'p = {p}',
  'positions.table.mean': '所有 p 的平均',
};

/** @type {Record<keyof typeof zhHant, string>} */
export const en = {
  'positions.title': 'Positional encoding, and the dot product of two positions',
  'positions.look':
    'Press Play to let p run: whatever p is, the dot products lie on the same curve, greatest at k = 0.',
  'positions.map': 'PE: {seq_len} positions × {d_model} dimensions',
  'positions.map.label':
    'Map of the positional encoding, {seq_len} rows (positions) by {d_model} columns (dimensions), values from −1 to 1. Arrow keys read it cell by cell.',
  'positions.map.row': 'position p',
  'positions.map.column': 'dimension → (high frequency left, low right)',
  'positions.bar': 'value, −1 to 1',
  'positions.cell': 'PE({p}, {column}) = {value}',
  'positions.curve': 'Dot product PE(p)·PE(p+k) ÷ (d/2)',
  'positions.curve.label':
    'Curve of the dot product over the offset k, from {first} to {last}. At k = 0 it is {greatest}, its greatest. The points of p = {p} lie on the mean line of all p.',
  'positions.curve.k': 'offset k',
  'positions.curve.p': 'the chosen p',
  'positions.curve.all': 'mean over all p',
  'positions.wave': 'Dimension {column}, wavelength {period}',
  'positions.wave.label':
    'The value of dimension {column} over the position p, wavelength {period} positions.',
  'positions.play': 'Play',
  'positions.pause': 'Pause',
  'positions.p': 'Position p',
  'positions.dimension': 'Dimension',
  'positions.d_model': 'Vector size d',
  'positions.base': 'Base',
  'positions.spread': 'Different p differ by at most',
  'positions.greatest': 'Dot product at k = 0',
  'positions.greatest.value': '{value} × d/2',
  'positions.table': 'Dot products for p = {p}, divided by d/2',
  'positions.table.k': 'offset k',
  'positions.table.p': 'p = {p}',
  'positions.table.mean': 'mean over all p',
};
