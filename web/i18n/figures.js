/** The words of the figures, a file each. */
import * as positions from './figures/positions.js';

export const zhHant = { ...positions.zhHant };

export const en = { ...positions.en };
