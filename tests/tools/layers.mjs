/**
 * Which room may use which: the table of ARCHITECTURE.md, verified by reading the `#include "…"`
 * lines of C and the import paths of JavaScript, those of JSDoc types included.
 *
 *     node tests/tools/layers.mjs        prints every line that breaks the table
 */
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{file: string, line: number, reason: string}} Violation */

/**
 * A room is a folder, a file, or what begins with a name that ends in a dot; a file's room is the
 * longest that fits. It may use itself and what is listed: rooms, files, npm packages, and `node:`.
 *
 * @type {Record<string, string[]>}
 */
const ROOMS = {
  'c_src/core': [],
  'c_src/ops': ['c_src/core'],
  'c_src/nn': ['c_src/core', 'c_src/ops'],
  'c_src/io': ['c_src/core', 'c_src/nn/params.h'],
  'c_src/train': ['c_src/core', 'c_src/ops', 'c_src/nn', 'c_src/io'],
  'c_src/lesson': ['c_src/core', 'c_src/ops', 'c_src/nn'],
  'c_src/exports.': ['c_src/train', 'c_src/lesson', 'c_src/io', 'c_src/nn', 'c_src/core'],
  'web/engine': ['wasm_build'],
  'web/charts': ['chart.js'],
  'web/i18n': [],
  'web/styles': [],
  'web/sources': [],
  'web/widgets': [
    'web/engine/index.js',
    'web/engine/protocol.js',
    'web/charts',
    'web/i18n',
    'web/styles',
    'web/sources',
  ],
  'web/lesson': ['web/widgets', 'web/i18n'],
  // Node programs: they build the page or stand beside it, and nothing of the page imports them.
  'web/lesson/render': [
    'web/lesson',
    'web/i18n',
    'node:',
    'vite',
    'temml',
    'highlight.js',
    'subset-font',
    '@fontsource',
  ],
  'web/vite.config.mjs': ['web/lesson/render', 'node:', 'vite'],
  'web/reproduce.mjs': ['web/engine', 'node:'],
};

/**
 * Words that only some files may say. `rooms` names where the word is out of place, `except` the
 * files there that may say it.
 */
const WORDS = [
  {
    word: /\bnew Worker\b/,
    rooms: ['web/engine', 'web/charts', 'web/i18n', 'web/widgets', 'web/lesson'],
    except: ['web/engine/index.js'],
    reason: 'only web/engine/index.js starts a worker',
  },
  {
    word: /\b(document|window|customElements|HTMLElement)\b/,
    rooms: ['web/engine'],
    except: [],
    reason: 'web/engine does not know the DOM',
  },
  {
    word: /\bWebAssembly\b/,
    rooms: ['web/charts', 'web/i18n', 'web/widgets', 'web/lesson'],
    except: ['web/i18n/en.js', 'web/i18n/zh-Hant.js'],
    reason: 'only web/engine knows WebAssembly',
  },
  {
    word: /__wasm__|__EMSCRIPTEN__|<emscripten/,
    rooms: ['c_src'],
    except: ['c_src/exports.c'],
    reason: 'only c_src/exports.c knows that it may be WebAssembly',
  },
];

const USES_IN_CODE = [
  /^[ \t]*(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])([^'"\n]+)\1/gm,
  /^[ \t]*import\s*(['"])([^'"\n]+)\1/gm,
  /\bimport\(\s*(['"])([^'"\n]+)\1/g,
  /\bnew URL\(\s*(['"])([^'"\n]+\.(?:m?js|css|json|wasm))\1/g,
];
const USES_IN_COMMENTS = [
  /@import\b[^'"]*?\bfrom\s*(['"])([^'"\n]+)\1/g,
  /\bimport\(\s*(['"])([^'"\n]+)\1/g,
];
const INCLUDE = /^[ \t]*#[ \t]*include[ \t]*"([^"]+)"/gm;

/**
 * @param {string} path
 * @param {string} place
 */
function lies_in(path, place) {
  return path === place || path.startsWith(/[:.]$/.test(place) ? place : `${place}/`);
}

/** @param {string} path */
function roomOf(path) {
  return Object.keys(ROOMS)
    .filter((room) => lies_in(path, room))
    .sort((a, b) => b.length - a.length)[0];
}

/**
 * The code alone and the comments alone. What is left out becomes spaces, so that every place in
 * the text stays where it was.
 *
 * @param {string} text
 */
function separate(text) {
  let code = '';
  let comments = '';
  /** @param {string} part */
  const blank = (part) => part.replace(/[^\n]/g, ' ');
  for (const part of text.split(/(\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*)/m)) {
    const is_comment = /^\/[*/]/.test(part);
    code += is_comment ? blank(part) : part;
    comments += is_comment ? part : blank(part);
  }
  return { code, comments };
}

/**
 * What a file names as its sources, as paths from the project's root or names of packages.
 *
 * @param {string} path
 * @param {string} text
 * @returns {{index: number, target: string}[]}
 */
function usesOf(path, text) {
  if (/\.[ch]$/.test(path)) {
    return [...text.matchAll(INCLUDE)].map(({ index, 1: header }) => ({
      index,
      target: `c_src/${header}`,
    }));
  }
  const { code, comments } = separate(text);
  const uses = [
    ...USES_IN_CODE.flatMap((pattern) => [...code.matchAll(pattern)]),
    ...USES_IN_COMMENTS.flatMap((pattern) => [...comments.matchAll(pattern)]),
  ];
  return uses.map(({ index, 2: specifier }) => ({
    index,
    target: specifier.startsWith('.')
      ? posix.join(posix.dirname(path), specifier.replace(/\?.*/, ''))
      : specifier,
  }));
}

/**
 * Why this file may not use the target, or undefined where it may.
 *
 * @param {string} path
 * @param {string} room
 * @param {string} target
 */
function objection(path, room, target) {
  if (lies_in(target, 'tests')) return 'nothing imports tests';
  if (lies_in(target, room)) {
    const [own, other] = [path, target].map((name) => /^web\/widgets\/([^/]+)\//.exec(name)?.[1]);
    if (own !== undefined && other !== undefined && own !== other) {
      return `widget ${own} may not know widget ${other}`;
    }
    return roomOf(target) === room ? undefined : `${room} may not use ${target}`;
  }
  return ROOMS[room].some((place) => lies_in(target, place))
    ? undefined
    : `${room} may not use ${target}`;
}

/**
 * @param {Iterable<[path: string, text: string]>} files paths from the project's root
 * @returns {Violation[]}
 */
export function findViolations(files) {
  /** @type {Violation[]} */
  const violations = [];
  for (const [path, text] of files) {
    /** @param {number} index @param {string} reason */
    const object = (index, reason) =>
      violations.push({ file: path, line: text.slice(0, index).split('\n').length, reason });

    const room = roomOf(path);
    if (room === undefined) {
      object(0, 'no room of the table holds this file');
      continue;
    }
    for (const { index, target } of usesOf(path, text)) {
      const reason = objection(path, room, target);
      if (reason !== undefined) object(index, reason);
    }
    const { code } = separate(text);
    for (const { word, rooms, except, reason } of WORDS) {
      if (except.includes(path) || !rooms.some((place) => lies_in(path, place))) continue;
      const found = word.exec(code);
      if (found !== null) object(found.index, reason);
    }
  }
  return violations;
}

/**
 * The C and JavaScript files of the project that the table speaks of.
 *
 * @param {string} root
 * @returns {[path: string, text: string][]}
 */
export function readSources(root) {
  return ['c_src', 'web'].flatMap((folder) =>
    readdirSync(posix.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.join(folder, name))
      .filter((path) => /\.(c|h|js|mjs)$/.test(path))
      .map(
        (path) =>
          /** @type {[string, string]} */ ([path, readFileSync(posix.join(root, path), 'utf8')]),
      ),
  );
}

if (
  process.argv[1] !== undefined &&
  realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
) {
  const violations = findViolations(readSources(fileURLToPath(new URL('../..', import.meta.url))));
  for (const { file, line, reason } of violations) console.error(`${file}:${line}: ${reason}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
