/** The words of the figures, a file each. */
import * as block from './figures/block.js';
import * as check from './figures/check.js';
import * as cost from './figures/cost.js';
import * as distance from './figures/distance.js';
import * as heads from './figures/heads.js';
import * as order from './figures/order.js';
import * as peek from './figures/peek.js';
import * as positions from './figures/positions.js';
import * as race from './figures/race.js';
import * as rotation from './figures/rotation.js';
import * as sharpness from './figures/sharpness.js';

export const zhHant = {
  ...block.zhHant,
  ...check.zhHant,
  ...cost.zhHant,
  ...distance.zhHant,
  ...heads.zhHant,
  ...order.zhHant,
  ...peek.zhHant,
  ...positions.zhHant,
  ...race.zhHant,
  ...rotation.zhHant,
  ...sharpness.zhHant,
};

export const en = {
  ...block.en,
  ...check.en,
  ...cost.en,
  ...distance.en,
  ...heads.en,
  ...order.en,
  ...peek.en,
  ...positions.en,
  ...race.en,
  ...rotation.en,
  ...sharpness.en,
};
