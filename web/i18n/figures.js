/** The words of the figures, a file each. */
import * as check from './figures/check.js';
import * as positions from './figures/positions.js';

export const zhHant = { ...check.zhHant, ...positions.zhHant };

export const en = { ...check.en, ...positions.en };
