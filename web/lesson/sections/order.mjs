/** The sections of the lesson in the order they are read; each is the file of its name here. */
export const SECTIONS = [
  'introduction',
  'scaled-dot-product-attention',
  'multi-head-attention',
  'positional-encoding',
  'transformer-block',
  'example',
  'in-control',
];
