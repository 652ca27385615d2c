/** Words of `attn-distance`. */
export const zhHant = {
  'distance.title': '兩個位置之間要走幾步',
  'distance.look':
    '按「播放」：注意力一步就到，遞迴網路一步一步走；還沒訓練時，走得越遠，傳回來的梯度越小。',
  'distance.input': '輸入位置 j',
  'distance.output': '輸出位置 i',
  'distance.n_steps': '先訓練幾步',
  'distance.row.output': '輸出 i',
  'distance.row.state': '狀態',
  'distance.row.input': '輸入 j',
  'distance.forward': '順著時間',
  'distance.backward': '走反方向的那一半',
  'distance.recurrent.caption': '遞迴網路（雙向 LSTM），{way}：{recurrent_steps} 步',
  'distance.recurrent.label':
    '遞迴網路：從輸入 {input} 到輸出 {output}，經過一個接一個的狀態，共 {recurrent_steps} 步。',
  'distance.attention.caption': '注意力，直接去看：{attention_steps} 步',
  'distance.attention.label':
    '注意力：輸出 {output} 和每個輸入都直接相連，到輸入 {input} 共 {attention_steps} 步。',
  'distance.start': '第 0 步：兩邊都從輸入 j 出發。',
  'distance.under_way': '第 {step} 步：注意力已經到了，遞迴網路還差 {left} 步。',
  'distance.arrived': '遞迴網路走了 {steps} 步，注意力 1 步。',
  'distance.play': '播放',
  'distance.pause': '暫停',
  'distance.single': '單步',
  'distance.reset': '重設',
  'distance.chart': '從輸出 i 傳回輸入 j 的梯度大小（對數刻度）',
  'distance.chart.label':
    '梯度大小隨距離的曲線。注意力：距離 1 是 {attention_near}，距離 {last} 是 {attention_far}。雙向 LSTM：距離 1 是 {bilstm_near}，距離 {last} 是 {bilstm_far}。',
  'distance.marks': '線：同一距離的平均；○ ◇：所選的這一對。',
  'distance.x': '距離 |i − j|',
  'distance.attention': '注意力',
  'distance.bilstm': '雙向 LSTM',
  'distance.steps': '步數',
  'distance.lesson.bilstm': '課文：n 步',
  'distance.lesson.attention': '課文：1 步',
  'distance.gradient': '這一對的梯度',
  'distance.factor': '距離每多 1',
  'distance.factor.value': '{factor} 倍',
  'distance.training': '訓練中：{network}，第 {step} ／ {n_steps} 步。',
  'distance.untrained':
    '參數還沒有訓練：距離每多 1，雙向 LSTM 的梯度只剩 {percent}%。注意力的線大致是平的；距離 0 較高，是殘差連接。',
  'distance.trained.fades':
    '訓練 {n_steps} 步以後，雙向 LSTM 的梯度仍隨距離變小：距離每多 1，剩 {percent}%。',
  'distance.trained.carries':
    '訓練 {n_steps} 步以後，整體來看，雙向 LSTM 的梯度不再隨距離變小：遠處的數字也影響輸出；要走的步數沒有變少。',
  'distance.table.means': '梯度大小，同一距離的平均',
  'distance.table.pairs': '輸出 {output} 對每個輸入的梯度大小',
};

/** @type {Record<keyof typeof zhHant, string>} */
export const en = {
  'distance.title': 'How many steps between two positions',
  'distance.look':
    'Press Play: attention is there in one step, the recurrent network walks step by step; before training, the longer the way, the smaller the gradient that comes back.',
  'distance.input': 'Input position j',
  'distance.output': 'Output position i',
  'distance.n_steps': 'Train first, steps',
  'distance.row.output': 'output i',
  'distance.row.state': 'state',
  'distance.row.input': 'input j',
  'distance.forward': 'forward in time',
  'distance.backward': 'through its backward half',
  'distance.recurrent.caption': 'Recurrent network (BiLSTM), {way}, steps: {recurrent_steps}',
  'distance.recurrent.label':
    'Recurrent network: from input {input} to output {output} through one state after another, steps: {recurrent_steps}.',
  'distance.attention.caption': 'Attention, directly: {attention_steps} step',
  'distance.attention.label':
    'Attention: output {output} is connected to every input directly, {attention_steps} step to input {input}.',
  'distance.start': 'Step 0: both set out from input j.',
  'distance.under_way': 'Step {step}: attention is there, the recurrent network has {left} to go.',
  'distance.arrived': 'Steps taken: recurrent network {steps}, attention 1.',
  'distance.play': 'Play',
  'distance.pause': 'Pause',
  'distance.single': 'Single step',
  'distance.reset': 'Reset',
  'distance.chart': 'Size of the gradient from output i back to input j (logarithmic)',
  'distance.chart.label':
    'Size of the gradient over the distance. Attention: {attention_near} at distance 1, {attention_far} at {last}. BiLSTM: {bilstm_near} at distance 1, {bilstm_far} at {last}.',
  'distance.marks': 'Lines: mean over all pairs of a distance; ○ ◇: the chosen pair.',
  'distance.x': 'distance |i − j|',
  'distance.attention': 'Attention',
  'distance.bilstm': 'BiLSTM',
  'distance.steps': 'Steps',
  'distance.lesson.bilstm': 'lesson: n',
  'distance.lesson.attention': 'lesson: 1',
  'distance.gradient': 'Gradient, this pair',
  'distance.factor': 'Per extra position',
  'distance.factor.value': '× {factor}',
  'distance.training': 'Training: {network}, step {step} of {n_steps}.',
  'distance.untrained':
    'Untrained: each extra position leaves {percent}% of the BiLSTM gradient. The line of attention is about level; distance 0 is higher by the residual connection.',
  'distance.trained.fades':
    'After {n_steps} training steps the BiLSTM gradient still shrinks with distance: each extra position leaves {percent}% of it.',
  'distance.trained.carries':
    'After {n_steps} training steps the BiLSTM gradient on the whole no longer shrinks with distance: distant digits matter too; the steps are as many as before.',
  'distance.table.means': 'Size of the gradient, mean over all pairs of a distance',
  'distance.table.pairs': 'Size of the gradient from output {output} to every input',
};
