/** The font of the formulas, cut down to the characters they use. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * The package brings no types of its own.
 *
 * @type {(font: Buffer, text: string, options: {targetFormat: 'woff2'}) => Promise<Buffer>}
 */
const subsetFont = require('subset-font');

/** STIX Two Math with all its 5,000 glyphs. */
export const FULL_MATH_FONT = require.resolve(
  '@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2',
);

/**
 * Writes a font that holds what `characters` need, with the taller brackets and roots they grow
 * into and the MATH table that says how.
 *
 * @param {string} characters
 * @param {string} folder
 * @returns {Promise<string>} its path
 */
export async function writeMathFont(characters, folder) {
  const font = await subsetFont(readFileSync(FULL_MATH_FONT), characters, {
    targetFormat: 'woff2',
  });
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'stix-two-math.woff2');
  writeFileSync(path, font);
  return path;
}
