/** Words of `attn-rotation`. */
export const zhHant = {
  'rotation.title': '固定的旋轉，讓每個位置看它的前一個位置',
  'rotation.look':
    '按「播放」讓 p 前進：每支指針各以自己的速度轉，從 PE(p) 轉到 PE(p+k) 的角度和矩陣 R(k) 卻都不變。',
  'rotation.hands': '16 對 (sin, cos) 分量，由快到慢；下面是轉的角度 kω',
  'rotation.hands.label':
    '16 支指針，從 PE({p}) 轉到 PE({target})。各對轉的角度由快到慢：{angles}。',
  'rotation.hands.from': 'PE(p)',
  'rotation.hands.to': 'R(k) PE(p)',
  'rotation.hands.target': 'PE(p+k)',
  'rotation.matrix': '矩陣 R({k})，每個 p 都用它',
  'rotation.matrix.label':
    '旋轉矩陣 R({k})，32 列乘 32 欄，只有對角線上 16 個 2 乘 2 的方塊不是 0。用方向鍵逐格讀。',
  'rotation.matrix.cell': 'R({k}) 第 {row} 列第 {column} 欄：{value}',
  'rotation.matrix.bar': '矩陣的值，從 −1 到 1',
  'rotation.map': '權重，',
  'rotation.comma': '，',
  'rotation.map.label':
    '注意力權重圖，{n} 列（查詢 i）乘 {n} 欄（被看的位置 j），W_Q = {sharpness} × R({k})。{pointed}用方向鍵逐格讀。',
  'rotation.map.cell': '位置 {row} 看位置 {column}，權重 {value}',
  'rotation.map.row': '查詢 i',
  'rotation.map.column': '被看的位置 j',
  'rotation.map.bar': '權重，從 0 到 1',
  'rotation.cell.hint': '指著一格，或用方向鍵，讀它的值。',
  'rotation.play': '播放',
  'rotation.pause': '暫停',
  'rotation.p': '位置 p',
  'rotation.k': '位置差 k',
  'rotation.sharpness': '銳度 c',
  'rotation.error': 'R(k) PE(p) 與 PE(p+k) 最多差',
  'rotation.hits': '看第 i{offset} 個位置看得最多的列',
  'rotation.hits.value': '{hits}／{n}',
  'rotation.pointed': '有第 i{offset} 個位置的 {n} 列中，{hits} 列看它看得最多。',
  'rotation.outside.previous': '位置 0 沒有前一個位置，它看得最多的是位置 {column}。',
  'rotation.outside.one': '位置 {row} 沒有第 i{offset} 個位置，它看得最多的是位置 {column}。',
  'rotation.outside.some':
    '位置 {first} 到 {last} 沒有第 i{offset} 個位置；位置 {row} 看得最多的是位置 {column}。',
  'rotation.outside.none': '每個位置看得最多的都是自己。',
  'rotation.flat': 'c = 0 時每個權重都是 1/{n}，哪裡都不特別看。',
  'rotation.table': 'p = {p}，k = {k}：R(k) PE(p) 與 PE(p+k)',
  'rotation.table.pair': '對',
  'rotation.table.weights': '注意力權重：列是查詢 i，欄是被看的位置 j',
};

/** @type {Record<keyof typeof zhHant, string>} */
export const en = {
  'rotation.title': 'One fixed rotation lets every position look at the one before',
  'rotation.look':
    'Press Play to let p advance: each hand turns at its own speed, yet the angle from PE(p) to PE(p+k) and the matrix R(k) stay the same.',
  'rotation.hands': '16 pairs (sin, cos), fast to slow; below, the angle kω turned',
  'rotation.hands.label':
    '16 hands, turned from PE({p}) to PE({target}). Angles of the pairs from fast to slow: {angles}.',
  'rotation.hands.from': 'PE(p)',
  'rotation.hands.to': 'R(k) PE(p)',
  'rotation.hands.target': 'PE(p+k)',
  'rotation.matrix': 'Matrix R({k}), the same for every p',
  'rotation.matrix.label':
    'Rotation matrix R({k}), 32 rows by 32 columns, zero but for 16 blocks of 2 by 2 on the diagonal. Arrow keys read it cell by cell.',
  'rotation.matrix.cell': 'R({k}) row {row}, column {column}: {value}',
  'rotation.matrix.bar': 'entry, −1 to 1',
  'rotation.map': 'Weights, ',
  'rotation.comma': ', ',
  'rotation.map.label':
    'Map of attention weights, {n} rows (query i) by {n} columns (key position j), W_Q = {sharpness} × R({k}). {pointed} Arrow keys read it cell by cell.',
  'rotation.map.cell': 'Position {row} looks at position {column}, weight {value}',
  'rotation.map.row': 'query i',
  'rotation.map.column': 'key position j',
  'rotation.map.bar': 'weight, 0 to 1',
  'rotation.cell.hint': 'Point at a cell, or use the arrow keys, to read it.',
  'rotation.play': 'Play',
  'rotation.pause': 'Pause',
  'rotation.p': 'Position p',
  'rotation.k': 'Offset k',
  'rotation.sharpness': 'Sharpness c',
  'rotation.error': 'R(k) PE(p) and PE(p+k) differ by at most',
  'rotation.hits': 'Rows that look most at position i{offset}',
  'rotation.hits.value': '{hits} of {n}',
  'rotation.pointed': 'Of the {n} rows that have a position i{offset}, {hits} look most at it.',
  'rotation.outside.previous': 'Position 0 has no predecessor; it looks most at position {column}.',
  'rotation.outside.one':
    'Position {row} has no position i{offset}; it looks most at position {column}.',
  'rotation.outside.some':
    'Positions {first} to {last} have no position i{offset}; {row} looks most at {column}.',
  'rotation.outside.none': 'Every position looks most at itself.',
  'rotation.flat': 'At c = 0 every weight is 1/{n}: nothing is looked at more.',
  'rotation.table': 'p = {p}, k = {k}: R(k) PE(p) and PE(p+k)',
  'rotation.table.pair': 'pair',
  'rotation.table.weights': 'Attention weights: rows are queries i, columns key positions j',
};
