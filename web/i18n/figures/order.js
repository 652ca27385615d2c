/** Words of `attn-order`. */
export const zhHant = {
  'order.title': '把輸入打亂，輸出怎麼變',
  'order.look':
    '把一個數字拖到另一個上面，兩者互換：沒有位置編碼時，每個數字帶著自己的輸出走；有位置編碼時就不是了。',
  'order.input': '打亂後的輸入（下面是它的位置；換過的寫「原位置 → 新位置」）',
  'order.help':
    '拖曳，或先選一個、再選另一個。鍵盤：方向鍵走動，Enter 選取，Shift 加方向鍵和鄰居互換。',
  'order.token': '位置 {place}：數字 {digit}',
  'order.token.moved': '位置 {place}：數字 {digit}，原來在位置 {token}',
  'order.shuffle': '打亂',
  'order.restore': '還原',
  'order.order': '次序',
  'order.allowed': '0 到 9 各一次',
  'order.layer': '看哪裡',
  'order.layer.att': '注意力的輸出',
  'order.layer.logits': '網路的輸出（logits）',
  'order.sample': '第幾筆測試資料',
  'order.without': '沒有位置編碼',
  'order.with': '有位置編碼',
  'order.before': '打亂前',
  'order.after': '打亂後',
  'order.all': '✓ 輸出都跟著走',
  'order.same': '還沒有換位：前後相同',
  'order.some': '✗ 10 個只有 {n} 個跟著走',
  'order.none': '✗ 輸出都變了',
  'order.map.label':
    '{network}，{side}的輸出：10 列（數字）乘 {columns} 欄（維度）。用方向鍵逐格讀。',
  'order.bar': '輸出的值，從 −{max} 到 {max}',
  'order.key.same': '輸出相同',
  'order.key.different': '輸出不同',
  'order.cell': '數字 {digit}（原位置 {token}）第 {dimension} 維：{before} → {after}',
  'order.sense':
    '課文說「完全一樣」，精確的說法是等變（equivariant）：輸入怎麼換位，輸出就怎麼換位。每個數字帶著自己的輸出走；沒有換位的數字，輸出不變。加了位置編碼，換位的數字成了另一個向量，所有數字看到的內容也跟著變。',
  'order.sense.causal':
    '有了因果遮罩，每個位置只看得到自己與前面的位置，誰在前面就有了分別：沒有位置編碼，輸出也不再跟著走。課文的「完全一樣」說的是沒有遮罩的注意力。',
  'order.without.output': '沒有位置編碼：輸出最多差',
  'order.with.output': '有位置編碼：輸出最多差',
  'order.scores': '沒有位置編碼：分數 q·k 最多差',
  'order.exact': '0，逐位元相同 ✓',
  'order.masked': '–（有遮罩）',
  'order.rounding':
    '網路未訓練，兩個用同一個隨機種子。沒有遮罩時，分數的每一項各自計算，所以逐位元相同；softmax 與加權平均要把各位置加起來，次序換了，捨入就差一點：差 10⁻⁶ 以內算相同。',
  'order.answer':
    '輸入是 {input}。沒有位置編碼：{without} 個數字的輸出跟著走，最多差 {without_difference}。有位置編碼：{with} 個跟著走，最多差 {with_difference}。',
  'order.table': '每個數字打亂前後最多差多少：{layer}',
  'order.table.token': '{digit}（位置 {token}）',
  'order.table.column.token': '數字（原位置）',
  'order.table.column.place': '新位置',
  'order.table.column.without': '沒有位置編碼',
  'order.table.column.with': '有位置編碼',
};

/** @type {Record<keyof typeof zhHant, string>} */
export const en = {
  'order.title': 'Shuffle the input: what becomes of the output',
  'order.look':
    'Drag one digit onto another and they change places: without positions every digit takes its output along; with positions it does not.',
  'order.input': 'Shuffled input (below, its position; “old → new” where it has moved)',
  'order.help':
    'Drag, or choose one and then another. Keys: arrows walk, Enter chooses, Shift with an arrow changes places with the neighbour.',
  'order.token': 'Position {place}: digit {digit}',
  'order.token.moved': 'Position {place}: digit {digit}, originally at position {token}',
  'order.shuffle': 'Shuffle',
  'order.restore': 'Restore',
  'order.order': 'Order',
  'order.allowed': 'each of 0 to 9 once',
  'order.layer': 'Look at',
  'order.layer.att': 'output of attention',
  'order.layer.logits': 'output of the network (logits)',
  'order.sample': 'Test sequence',
  'order.without': 'Without positions',
  'order.with': 'With positions',
  'order.before': 'Before',
  'order.after': 'After',
  'order.all': '✓ every output travels',
  'order.same': 'Nothing has moved: both are the same',
  'order.some': '✗ outputs that travel: {n} of 10',
  'order.none': '✗ no output travels',
  'order.map.label':
    '{network}, {side}: the output, 10 rows (digits) by {columns} columns (dimensions). Arrow keys read it cell by cell.',
  'order.bar': 'value of the output, −{max} to {max}',
  'order.key.same': 'same output',
  'order.key.different': 'different output',
  'order.cell': 'Digit {digit} (originally at {token}), dimension {dimension}: {before} → {after}',
  'order.sense':
    'The lesson says “exactly the same”; the precise word is equivariant: the output is permuted as the input is. Every digit takes its output along, and a digit that stays has the same output. With positions a digit that moves becomes another vector, and what all the others look at changes too.',
  'order.sense.causal':
    'With the causal mask every position sees only itself and those before it, so it matters who comes first: even without positions the output does not travel. What the lesson says is about attention without a mask.',
  'order.without.output': 'Without positions, outputs differ by at most',
  'order.with.output': 'With positions, outputs differ by at most',
  'order.scores': 'Without positions, scores q·k differ by at most',
  'order.exact': '0, bit for bit ✓',
  'order.masked': '– (masked)',
  'order.rounding':
    'Both networks are untrained, from one random seed. Without a mask every score is computed on its own, so it has the same bits; softmax and weighted sum add over the positions, and another order rounds differently: what differs by up to 10⁻⁶ counts as the same.',
  'order.answer':
    'The input is {input}. Without positions: {without} digits take their output along, largest difference {without_difference}. With positions: {with} do, largest difference {with_difference}.',
  'order.table': 'Largest difference of every digit before and after: {layer}',
  'order.table.token': '{digit} (position {token})',
  'order.table.column.token': 'digit (old position)',
  'order.table.column.place': 'new position',
  'order.table.column.without': 'without positions',
  'order.table.column.with': 'with positions',
};
