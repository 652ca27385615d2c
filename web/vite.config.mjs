import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { cSourcesPlugin } from './lesson/render/c-sources.mjs';
import { lessonPlugin, pageHeadPlugin } from './lesson/render/plugin.mjs';
import { recordedPlugin } from './lesson/render/recorded.mjs';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  cacheDir: fileURLToPath(new URL('../node_modules/.vite', import.meta.url)),
  publicDir: false,
  plugins: [lessonPlugin(), pageHeadPlugin(), cSourcesPlugin(), recordedPlugin()],
  worker: { format: 'es' },
  // The engine's WebAssembly lies beside this folder, not in it.
  server: { fs: { allow: ['..'] } },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
