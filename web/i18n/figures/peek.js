/** Words of `attn-peek`. */
export const zhHant = {
  'peek.title': '沒有因果遮罩，就偷看到答案',
  'peek.look':
    '兩個相同的網路學「下一個數字」，只差因果遮罩。按「訓練」：不加遮罩的損失降到接近 0，加遮罩的停在虛線。',
  'peek.free': '不加遮罩',
  'peek.masked': '加因果遮罩',
  'peek.period': '數字',
  'peek.random': '全部隨機',
  'peek.every': '每 {period} 個重複',
  'peek.curves': '位置 0…{last} 的平均損失（線：訓練批次，○ ◇：測試）',
  'peek.curves.label':
    '損失隨步數的曲線。第 {step} 步的測試：不加遮罩 {free}，加因果遮罩 {masked}，加遮罩的下限 {floor}。',
  'peek.x': '步數',
  'peek.loss': '損失',
  'peek.bars': '各位置的損失（第 {step} 步的測試）；位置 {last} 分開畫',
  'peek.bars.label': '各位置的損失。不加遮罩：{free}。加因果遮罩：{masked}。',
  'peek.bars.x': '位置 t（答案是位置 t+1 的數字）',
  'peek.floor.random': '下限 ln 10 = {value}',
  'peek.floor.period': '下限 ({period}−1)·ln 10/{n} = {value}',
  'peek.floor': '下限 {value}',
  'peek.free.name': '不加遮罩，位置 0…{last}',
  'peek.masked.name': '加因果遮罩，位置 0…{last}',
  'peek.last.name': '位置 {last}：不加／加',
  'peek.verdict.untrained': '還沒有學會：兩個網路都和亂猜差不多，亂猜的損失是 ln 10。',
  'peek.verdict.under_way': '第 {step} 步：不加遮罩 {free}，加遮罩 {masked}。繼續訓練。',
  'peek.verdict.stopped':
    '第 {step} 步：不加遮罩 {free}，加遮罩 {masked}，還沒到底。把「步數」調大，再按「繼續訓練」。',
  'peek.verdict.peeked':
    '不加遮罩的損失接近 0，因為答案就在輸入裡，往後看一位即可。加遮罩的只能看自己與前面的位置，停在算得出的下限。',
  'peek.verdict.random':
    '位置 {last} 的答案不在輸入裡，正像生成文字的時候：在這裡，不加遮罩的也只能猜。',
  'peek.verdict.period': '位置 {last} 的答案前面出現過，兩個網路都找得到。',
  'peek.verdict.same': '每個答案都在前面出現過，加不加遮罩都學得會：這時看不出誰偷看。',
  'peek.train': '訓練',
  'peek.continue': '繼續訓練',
  'peek.pause': '暫停',
  'peek.again': '再訓練一次',
  'peek.single': '單步',
  'peek.reset': '重設',
  'peek.progress': '訓練進度',
  'peek.steps': '第 {step} ／ {n_steps} 步',
  'peek.map.free': '不加遮罩的權重，測試第一筆',
  'peek.map.masked': '加因果遮罩的權重，測試第一筆',
  'peek.map.row': '要答的數字',
  'peek.map.column': '輸入的數字',
  'peek.map.label':
    '{name}，{n} 列（輸出位置）乘 {n} 欄（輸入位置）。答案所在的下一位，權重平均 {mean}。用方向鍵逐格讀。',
  'peek.bar': '權重 0…1',
  'peek.cell.hint': '指著一格，讀它的權重。權重在對角線右邊一格，就是看著答案。',
  'peek.cell': '{name}：位置 {row} 看位置 {column}，權重 {weight}',
  'peek.cell.answer': '{name}：位置 {row} 看位置 {column}，權重 {weight}。那裡正是答案。',
  'peek.cell.hidden': '{name}：位置 {column} 在後面，位置 {row} 看不到，權重 0',
  'peek.table': '各位置的損失與正確率，第 {step} 步的測試，{n} 筆',
  'peek.table.position': '位置 t',
  'peek.table.loss.free': '不加遮罩：損失',
  'peek.table.loss.masked': '加遮罩：損失',
  'peek.table.floor.free': '不加遮罩：下限',
  'peek.table.floor.masked': '加遮罩：下限',
  'peek.table.right.free': '不加遮罩：答對',
  'peek.table.right.masked': '加遮罩：答對',
  'peek.finished':
    '訓練到第 {step} 步。位置 0 到 {last} 的損失：不加遮罩 {free}，加因果遮罩 {masked}，下限 {floor}。',
};

/** @type {Record<keyof typeof zhHant, string>} */
export const en = {
  'peek.title': 'Without the causal mask the answer is seen',
  'peek.look':
    'Two equal networks learn “the next digit”; only the causal mask differs. Press Train: without the mask the loss falls close to 0, with the mask it stops at the dashed line.',
  'peek.free': 'no mask',
  'peek.masked': 'causal mask',
  'peek.period': 'Digits',
  'peek.random': 'all random',
  'peek.every': 'repeating every {period}',
  'peek.curves': 'Mean loss at positions 0…{last} (lines: training batches, ○ ◇: tests)',
  'peek.curves.label':
    'Curves of the loss over steps. Test at step {step}: no mask {free}, causal mask {masked}, floor with the mask {floor}.',
  'peek.x': 'steps',
  'peek.loss': 'loss',
  'peek.bars': 'Loss at each position (test at step {step}); position {last} apart',
  'peek.bars.label': 'Loss at each position. No mask: {free}. Causal mask: {masked}.',
  'peek.bars.x': 'position t (its answer: the digit at t+1)',
  'peek.floor.random': 'floor ln 10 = {value}',
  'peek.floor.period': 'floor ({period}−1)·ln 10/{n} = {value}',
  'peek.floor': 'floor {value}',
  'peek.free.name': 'No mask, positions 0…{last}',
  'peek.masked.name': 'Causal mask, positions 0…{last}',
  'peek.last.name': 'Position {last}: no mask / mask',
  'peek.verdict.untrained':
    'Nothing learned yet: both networks do no better than guessing, whose loss is ln 10.',
  'peek.verdict.under_way': 'Step {step}: no mask {free}, mask {masked}. Train further.',
  'peek.verdict.stopped':
    'Step {step}: no mask {free}, mask {masked}; not there yet. Raise the number of steps, then press Train further.',
  'peek.verdict.peeked':
    'Without the mask the loss is close to 0: the answer stands in the input, one place ahead. With the mask a position sees only itself and those before it, and the loss stops at the computed floor.',
  'peek.verdict.random':
    'The answer at position {last} is not in the input, as when text is generated: there the network without the mask can only guess too.',
  'peek.verdict.period':
    'The answer at position {last} has come before, and both networks find it.',
  'peek.verdict.same':
    'Every answer has come before, so both learn it with or without the mask: so peeking does not show here.',
  'peek.train': 'Train',
  'peek.continue': 'Train further',
  'peek.pause': 'Pause',
  'peek.again': 'Train again',
  'peek.single': 'One step',
  'peek.reset': 'Reset',
  'peek.progress': 'Training progress',
  'peek.steps': 'Step {step} / {n_steps}',
  'peek.map.free': 'Weights without the mask, first test sequence',
  'peek.map.masked': 'Weights with the causal mask, first test sequence',
  'peek.map.row': 'digit to answer',
  'peek.map.column': 'input digit',
  'peek.map.label':
    '{name}, {n} rows (output positions) by {n} columns (input positions). Mean weight on the next position, where the answer stands: {mean}. Arrow keys read it cell by cell.',
  'peek.bar': 'weight 0…1',
  'peek.cell.hint':
    'Point at a cell to read its weight. A weight one cell right of the diagonal looks at the answer.',
  'peek.cell': '{name}: position {row} looks at position {column}, weight {weight}',
  'peek.cell.answer':
    '{name}: position {row} looks at position {column}, weight {weight}. The answer stands there.',
  'peek.cell.hidden':
    '{name}: position {column} is ahead; position {row} does not see it, weight 0',
  'peek.table': 'Loss and share right at each position, test at step {step}, {n} sequences',
  'peek.table.position': 'position t',
  'peek.table.loss.free': 'no mask: loss',
  'peek.table.loss.masked': 'mask: loss',
  'peek.table.floor.free': 'no mask: floor',
  'peek.table.floor.masked': 'mask: floor',
  'peek.table.right.free': 'no mask: right',
  'peek.table.right.masked': 'mask: right',
  'peek.finished':
    'Trained to step {step}. Loss at positions 0 to {last}: no mask {free}, causal mask {masked}, floor {floor}.',
};
