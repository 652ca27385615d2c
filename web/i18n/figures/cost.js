/** Words of `attn-cost`. */
export const zhHant = {
  'cost.title': '表格的三列，各有證據',
  'cost.look': '點課文表格的一格，看它的證據；按「量時間」，在你的電腦上量每一層要多久。',
  'cost.evidence': '看哪一列',
  'cost.evidence.path': '任兩位置的距離',
  'cost.evidence.parallel': '計算',
  'cost.evidence.operations': '每層的運算量',
  'cost.n': '序列長 n',
  'cost.d': '向量維度 d',
  'cost.lstm': 'LSTM（單向）',
  'cost.attention': '注意力',
  'cost.self_attention': '自注意力，含投影',
  'cost.lstm.short': 'LSTM',
  'cost.attention.short': '注意力',
  'cost.self_attention.short': '含投影',
  'cost.path.caption': '兩個位置相隔 k 時，訊號要走的步數',
  'cost.gradient.caption': '相隔 k 時傳回來的梯度（對數刻度，課文的兩個網路，還沒訓練）',
  'cost.gradient.y': '梯度大小',
  'cost.gradient.line':
    '相隔 {last} 個位置：雙向 LSTM 的梯度 {recurrent}，注意力 {attention}。訓練後如何，見課文開頭的圖。',
  'cost.path.x': '相隔 k 個位置',
  'cost.path.steps': '步數',
  'cost.path.line':
    '最遠的兩個位置相隔 {farthest}：遞迴網路要 {recurrent} 步，注意力 {attention} 步。',
  'cost.parallel.recurrent': 'RNN／LSTM：{steps} 步，一步等一步',
  'cost.parallel.attention': 'Transformer：{steps} 步，所有位置同時算',
  'cost.parallel.line':
    '橫向是先後的步，縱向是位置；斜線表示要等前一個位置。n = {n} 時，LSTM 有 {n} 步必須依序做；注意力的一步裡有幾個矩陣乘積，個數和 n 無關，可以平行。',
  'cost.parallel.cut': '圖只畫前 {n_shown} 個位置。',
  'cost.measure': '量時間',
  'cost.cancel': '取消',
  'cost.progress': '量時間的進度',
  'cost.counts': '乘加次數',
  'cost.times': '一次的時間（ms）',
  'cost.x': '序列長 n（對數刻度）',
  'cost.crossing': 'n = {factor}d',
  'cost.chart.label':
    '乘加次數與時間隨序列長 n 的曲線，d = {d}。LSTM 與 n 成正比，注意力與 n 的平方成正比；乘加次數在 n = {attention} 相等，含投影時在 n = {self_attention}。',
  'cost.sizes': 'n = {n}，d = {d}',
  'cost.count': '乘加次數',
  'cost.time': '時間',
  'cost.finding.counts': 'n 從 256 加倍到 512，乘加次數：LSTM {lstm} 倍，注意力 {attention} 倍。',
  'cost.finding.times': '量到的時間：LSTM {lstm} 倍，注意力 {attention} 倍。',
  'cost.finding.unsteady': '量到的時間忽大忽小：這台電腦正忙著別的事，請再量一次。',
  'cost.finding.crossing': '含投影的自注意力，這台電腦上約從 n = {n} 起比 LSTM 慢。',
  'cost.finding.never': '含投影的自注意力，這台電腦上到 n = 512 還沒有比 LSTM 慢。',
  'cost.finding.always': '含投影的自注意力，這台電腦上從最短的 n = {n} 起就比 LSTM 慢。',
  'cost.note':
    '課文的 O(n²d) 只算分數與加權平均，沒有算 Q、K、V、O 的投影和前饋網路，它們是 O(nd²)。時間用一個執行緒量，取最快的一次；注意力還能平行計算，這裡沒有用上。',
  'cost.table.counts': '一層的乘加次數，d = {d}',
  'cost.table.times': '一層一次的時間，d = {d}',
};

/** @type {Record<keyof typeof zhHant, string>} */
export const en = {
  'cost.title': 'Evidence for the three rows of the table',
  'cost.look':
    'Choose a cell of the table in the lesson to see its evidence; press Measure to time each layer on your computer.',
  'cost.evidence': 'Row',
  'cost.evidence.path': 'Distance of two positions',
  'cost.evidence.parallel': 'Computation',
  'cost.evidence.operations': 'Operations per layer',
  'cost.n': 'Sequence length n',
  'cost.d': 'Vector size d',
  'cost.lstm': 'LSTM (one direction)',
  'cost.attention': 'Attention',
  'cost.self_attention': 'Self-attention with projections',
  'cost.lstm.short': 'LSTM',
  'cost.attention.short': 'attention',
  'cost.self_attention.short': 'with projections',
  'cost.path.caption': 'Steps a signal takes between positions k apart',
  'cost.gradient.caption':
    'Gradient that comes back over k positions (log scale, the lesson’s two networks, untrained)',
  'cost.gradient.y': 'size of the gradient',
  'cost.gradient.line':
    'Over {last} positions: gradient of the BiLSTM {recurrent}, of attention {attention}. The figure at the lesson’s beginning shows what training changes.',
  'cost.path.x': 'positions apart, k',
  'cost.path.steps': 'steps',
  'cost.path.line':
    'The two farthest positions are {farthest} apart: {recurrent} steps in a recurrent network, {attention} in attention.',
  'cost.parallel.recurrent': 'RNN/LSTM: {steps} steps, each waits for the one before',
  'cost.parallel.attention': 'Transformer: {steps} step, all positions at once',
  'cost.parallel.line':
    'Steps in their order from left to right, positions downward; a slanted line waits for the position before. At n = {n} an LSTM has {n} steps that must follow each other; the one step of attention holds a few matrix products, as many for any n, which can run in parallel.',
  'cost.parallel.cut': ' Only the first {n_shown} positions are drawn.',
  'cost.measure': 'Measure',
  'cost.cancel': 'Cancel',
  'cost.progress': 'Progress of the measurement',
  'cost.counts': 'multiply-adds',
  'cost.times': 'time of a run (ms)',
  'cost.x': 'sequence length n (logarithmic)',
  'cost.crossing': 'n = {factor}d',
  'cost.chart.label':
    'Multiply-adds and times over the sequence length n, d = {d}. LSTM grows with n, attention with its square; the multiply-adds are equal at n = {attention}, with projections at n = {self_attention}.',
  'cost.sizes': 'n = {n}, d = {d}',
  'cost.count': 'multiply-adds',
  'cost.time': 'time',
  'cost.finding.counts':
    'From n = 256 to 512 the multiply-adds are multiplied by {lstm} for the LSTM, by {attention} for attention.',
  'cost.finding.times': ' The measured times: LSTM times {lstm}, attention times {attention}.',
  'cost.finding.unsteady':
    ' The measured times jump: this computer is busy with other things, please measure again.',
  'cost.finding.crossing':
    ' Self-attention with projections is slower than the LSTM here from about n = {n} on.',
  'cost.finding.never':
    ' Self-attention with projections is not slower than the LSTM here up to n = 512.',
  'cost.finding.always':
    ' Self-attention with projections is slower than the LSTM here at every length, from n = {n} on.',
  'cost.note':
    'The O(n²d) of the lesson counts scores and weighted means only, not the projections Q, K, V, O and the feed-forward network, which are O(nd²). Times are those of one thread, the fastest of many; attention could also run in parallel, which is not used here.',
  'cost.table.counts': 'Multiply-adds of a layer, d = {d}',
  'cost.table.times': 'Time of one run of a layer, d = {d}',
};
