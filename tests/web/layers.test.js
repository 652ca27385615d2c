import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { findViolations, readSources } from '../tools/layers.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('every file of the project keeps to its room', () => {
  const sources = readSources(ROOT);
  expect(sources.length).toBeGreaterThan(40);
  expect(findViolations(sources)).toEqual([]);
});

test.each([
  ['c_src/ops/softmax.c', '#include "core/vec.h"\n#include <math.h>\n'],
  ['c_src/io/safetensors.c', '#include "io/safetensors.h"\n#include "nn/params.h"\n'],
  ['c_src/exports.c', '#include "exports.h"\n#include "train/session.h"\n#if defined(__wasm__)\n'],
  ['web/engine/worker.js', "import { dispatch } from './dispatch.js';\n"],
  ['web/engine/index.js', "new Worker(new URL('./worker.js', import.meta.url));\n"],
  ['web/charts/line-chart.js', "import { Chart } from 'chart.js';\n"],
  ['web/widgets/reverse/element.js', "import styles from '../../styles/figure.css?inline';\n"],
  ['web/widgets/reverse/element.js', "import { rows } from './model.js';\n"],
  ['web/engine/engine.js', '// nothing here draws into the document\n'],
  [
    'web/i18n/en.js',
    "export const words = {\n  range: ['from', 'to'], title: `from '../engine/engine.js'`,\n};\n",
  ],
  ['web/engine/engine.js', "/* A page says: import { engine } from '../widgets/engine.js'. */\n"],
])('%s may say %j', (path, text) => {
  expect(findViolations([[path, text]])).toEqual([]);
});

test.each([
  ['c_src/core/rng.c', '#include "ops/gemm.h"\n'],
  ['c_src/ops/attention.c', '  #  include "nn/params.h"\n'],
  ['c_src/io/safetensors.c', '#include "nn/transformer.h"\n'],
  ['c_src/lesson/cost.c', '#include "train/session.h"\n'],
  ['c_src/exports.c', '#include "ops/gemm.h"\n'],
  ['c_src/train/session.c', '#include "exports.h"\n'],
  ['c_src/train/session.c', '#if defined(__wasm__)\n'],
  ['c_src/stray.c', '\n'],
  ['web/engine/dispatch.js', "import { text } from '../i18n/index.js';\n"],
  ['web/engine/dispatch.js', "const worker = new Worker('./worker.js');\n"],
  ['web/engine/engine.js', 'document.title;\n'],
  ['web/charts/heatmap.js', "/** @typedef {import('../engine/protocol.js').Tensor} Tensor */\n"],
  ['web/charts/heatmap.js', "/** @import { Tensor } from '../engine/protocol.js' */\n"],
  ['web/charts/heatmap.js', "import { tokens } from '../styles/tokens.js';\n"],
  ['web/i18n/en.js', "export * from '../widgets/reverse/model.js';\n"],
  ['web/widgets/reverse/element.js', "import { Chart } from 'chart.js';\n"],
  ['web/widgets/reverse/element.js', "import { rows } from '../check/model.js';\n"],
  ['web/widgets/reverse/element.js', "import { createEngine } from '../../engine/engine.js';\n"],
  ['web/widgets/reverse/model.js', 'new WebAssembly.Module(bytes);\n'],
  ['web/lesson/page.js', "import '../engine/index.js';\n"],
  ['web/lesson/page.js', "import {\n  getEngine,\n} from '../engine/index.js';\n"],
  ['web/lesson/page.js', "const { Chart } = await import('chart.js');\n"],
  ['web/lesson/page.js', "import { lesson } from './render/lesson.mjs';\n"],
  ['web/lesson/page.js', "import { readFileSync } from 'node:fs';\n"],
  ['web/engine/engine.js', "await import('../../tests/wasm/load.js');\n"],
])('%s may not say %j', (path, text) => {
  expect(findViolations([[path, text]])).toMatchObject([{ file: path, line: 1 }]);
});

test('a violation names its line', () => {
  const text = '#include "core/vec.h"\n\n#include "train/session.h"\n';
  expect(findViolations([['c_src/nn/init.c', text]])).toEqual([
    { file: 'c_src/nn/init.c', line: 3, reason: 'c_src/nn may not use c_src/train/session.h' },
  ]);
});
