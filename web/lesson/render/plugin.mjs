/** @import { Plugin } from 'vite' */
import { formulaCharacters } from './formulas.mjs';
import { readPageFile, renderContents, renderLesson, SCRIPTS } from './lesson.mjs';
import { FULL_MATH_FONT, writeMathFont } from './math-font.mjs';
import { fillWords, renderLanguages } from './words.mjs';

/** Files that the page fetches or runs as they are. */
const VERBATIM = [...SCRIPTS, 'lesson/remembered-theme.js'];

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-src 'self'",
  "img-src 'self' data:",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * Puts the lesson into `index.html` in the places of the comments `lesson`, `contents` and
 * `languages`, and resolves `@math-font` for the style sheets: the whole font while developing,
 * a subset in the built page. The built page also carries its content security policy, which
 * Vite's development server could not obey.
 *
 * @returns {Plugin}
 */
export function lessonPlugin() {
  let building = false;
  return {
    name: 'lesson',

    async config(config, { command }) {
      building = command === 'build';
      const folder = `${config.cacheDir ?? 'node_modules/.vite'}/fonts`;
      const font = building
        ? await writeMathFont(formulaCharacters(renderLesson()), folder)
        : FULL_MATH_FONT;
      return { resolve: { alias: { '@math-font': font } } };
    },

    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        fillWords(
          html
            .replace('<!-- lesson -->', renderLesson)
            .replace('<!-- contents -->', renderContents)
            .replace('<!-- languages -->', renderLanguages),
        ),
    },

    generateBundle() {
      for (const path of VERBATIM) {
        this.emitFile({ type: 'asset', fileName: path, source: readPageFile(path) });
      }
    },

    configureServer(server) {
      server.watcher.on('change', (path) => {
        if (path.includes('/lesson/')) server.ws.send({ type: 'full-reload' });
      });
    },
  };
}

/**
 * Adds to the built page what only the finished page can say: its policy, and which font to load
 * before the style sheet asks for it, so that formulas do not change their size under the reader.
 *
 * @returns {Plugin}
 */
export function pageHeadPlugin() {
  return {
    name: 'page-head',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) => {
        const font = Object.keys(bundle ?? {}).find((name) => name.endsWith('.woff2'));
        if (font === undefined) throw new Error('The page has no math font');
        return [
          {
            tag: 'meta',
            attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY },
            injectTo: 'head-prepend',
          },
          {
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `./${font}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: true,
            },
            injectTo: 'head',
          },
        ];
      },
    },
  };
}
