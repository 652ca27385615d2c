/**
 * Colours as numbers: the sequential map of weights, the diverging map of signed values, and the
 * contrast of text on them.
 *
 * A map is a path in OKLab, where equal distances look equally different, walked at constant speed
 * from the page's ground to the far end of lightness. So "more" reads as "further from the ground"
 * on light and dark pages, in grey print and without colour vision alike: lightness alone tells it. The diverging map is two such paths
 * from 0, which is the ground, to both sides.
 */

/** @typedef {[number, number, number]} Rgb each 0 … 255 */

/**
 * Hues of a path in degrees where it is dark and where it is light; no token has them: violet to
 * pink, and for negative values brown to yellow-green.
 *
 * @typedef {{dark: number, light: number}} Hues
 */
const HUES = { dark: 290, light: 345 };
const NEGATIVE_HUES = { dark: 100, light: 118 };

/** Lightness of the far end on a light and on a dark ground. */
const END_ON_LIGHT = 0.2;
const END_ON_DARK = 0.96;

/** The same of a diverging map, whose ends must differ in hue and not only from the ground. */
const DIVERGING_END_ON_LIGHT = 0.4;
const DIVERGING_END_ON_DARK = 0.86;

const CHROMA = 0.19;

/** Entries of a colour map. */
export const MAP_SIZE = 256;

/**
 * The channels of a computed colour, `rgb(11 92 173)` or `rgb(11, 92, 173)` or `#0b5cad`.
 *
 * @param {string} text
 * @returns {Rgb}
 */
export function parseColour(text) {
  const hex = /^#([0-9a-f]{6})$/i.exec(text.trim());
  if (hex) {
    const bits = Number.parseInt(hex[1], 16);
    return [bits >> 16, (bits >> 8) & 255, bits & 255];
  }
  const [red, green, blue] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red ?? 0, green ?? 0, blue ?? 0];
}

/**
 * So much of one colour on another, as a thin line of it looks.
 *
 * @param {string} colour
 * @param {string} ground
 * @param {number} share
 * @returns {string}
 */
export function mixColours(colour, ground, share) {
  const below = parseColour(ground);
  const mixed = parseColour(colour).map((channel, i) =>
    Math.round(share * channel + (1 - share) * below[i]),
  );
  return `rgb(${mixed.join(' ')})`;
}

/** @param {number} channel 0 … 255, gamma-encoded */
function toLinear(channel) {
  const unit = channel / 255;
  return unit <= 0.04045 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4;
}

/** @param {number} light linear, 0 … 1 */
function fromLinear(light) {
  return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
}

/**
 * OKLab (Ottosson 2020) of an sRGB colour: lightness 0 … 1 and two opponent axes.
 *
 * @param {Rgb} rgb
 * @returns {[number, number, number]}
 */
export function toOklab(rgb) {
  const [red, green, blue] = rgb.map(toLinear);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/**
 * Linear light of an OKLab colour; outside 0 … 1 where the screen cannot show it.
 *
 * @param {[number, number, number]} oklab
 * @returns {[number, number, number]}
 */
function toLinearRgb([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/**
 * The colour of this lightness on the path, with as much of its chroma as the screen can show.
 *
 * @param {number} lightness
 * @param {number} strength 0 at the ground, 1 from where the path has its full chroma
 * @param {[number, number, number]} ground
 * @param {Hues} hues
 * @returns {[number, number, number]} OKLab
 */
function pathColour(lightness, strength, ground, { dark, light }) {
  const hue = ((dark + (light - dark) * lightness) * Math.PI) / 180;
  const inGamut = (/** @type {number} */ chroma) =>
    toLinearRgb([lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]).every(
      (light) => light >= -1e-4 && light <= 1 + 1e-4,
    );
  // The chroma swells and fades smoothly, so that no edge appears in the map.
  let chroma = CHROMA * Math.sin(Math.PI * Math.min(1, Math.max(0, lightness))) ** 1.2;
  if (!inGamut(chroma)) {
    let outside = chroma;
    chroma = 0;
    for (let halving = 0; halving < 8; halving++) {
      const middle = (chroma + outside) / 2;
      if (inGamut(middle)) chroma = middle;
      else outside = middle;
    }
  }
  return [
    lightness,
    ground[1] * (1 - strength) + chroma * Math.cos(hue) * strength,
    ground[2] * (1 - strength) + chroma * Math.sin(hue) * strength,
  ];
}

/** How far two colours are apart to the eye. @type {(a: number[], b: number[]) => number} */
const perceivedDistance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** The same without colour vision. @type {(a: number[], b: number[]) => number} */
const lightnessDistance = (a, b) => Math.abs(a[0] - b[0]);

/**
 * A path from the ground, walked in steps of equal distance.
 *
 * @param {Rgb} groundRgb
 * @param {{hues: Hues, end: {on_light: number, on_dark: number}, n: number,
 *   distance: (a: number[], b: number[]) => number}} path
 * @returns {Uint8ClampedArray} n × 3
 */
function walk(groundRgb, { hues, end: { on_light, on_dark }, n, distance }) {
  const ground = toOklab(groundRgb);
  const end = ground[0] > 0.5 ? on_light : on_dark;
  const n_fine = 512;
  /** @type {[number, number, number][]} */
  const path = [];
  /** Distance walked up to each point of the path. */
  const walked = [0];
  for (let i = 0; i <= n_fine; i++) {
    const progress = i / n_fine;
    const lightness = ground[0] + (end - ground[0]) * progress;
    path.push(pathColour(lightness, Math.min(1, progress * 8), ground, hues));
    if (i > 0) walked.push(walked[i - 1] + distance(path[i], path[i - 1]));
  }
  const colours = new Uint8ClampedArray(n * 3);
  colours.set(groundRgb);
  let i = 1;
  for (let entry = 1; entry < n; entry++) {
    const target = (walked[n_fine] * entry) / (n - 1);
    while (i < n_fine && walked[i] < target) i++;
    const share = (target - walked[i - 1]) / (walked[i] - walked[i - 1]);
    const [l, a, b] = path[i].map((part, k) => path[i - 1][k] + share * (part - path[i - 1][k]));
    colours.set(toLinearRgb([l, a, b]).map(fromLinear), entry * 3);
  }
  return colours;
}

/**
 * The maps made so far, which many charts share.
 *
 * @type {Map<string, Uint8ClampedArray>}
 */
const known = new Map();

/**
 * @param {string} kind of map
 * @param {Rgb} ground
 * @param {() => Uint8ClampedArray} make
 */
function remember(kind, ground, make) {
  const name = `${kind} ${ground.join()}`;
  const map = known.get(name) ?? make();
  known.set(name, map);
  return map;
}

/**
 * The map from 0 (the ground itself) to 1, MAP_SIZE colours.
 *
 * @param {Rgb} groundRgb
 * @returns {Uint8ClampedArray} MAP_SIZE × 3
 */
export function sequentialMap(groundRgb) {
  const end = { on_light: END_ON_LIGHT, on_dark: END_ON_DARK };
  return remember('sequential', groundRgb, () =>
    walk(groundRgb, { hues: HUES, end, n: MAP_SIZE, distance: perceivedDistance }),
  );
}

/**
 * The map of signed values: from the most negative over 0 (the ground itself, twice) to the most
 * positive, MAP_SIZE colours. Values of one size are equally light on both sides.
 *
 * @param {Rgb} groundRgb
 * @returns {Uint8ClampedArray} MAP_SIZE × 3
 */
export function divergingMap(groundRgb) {
  return remember('diverging', groundRgb, () => {
    const end = { on_light: DIVERGING_END_ON_LIGHT, on_dark: DIVERGING_END_ON_DARK };
    const n = MAP_SIZE / 2;
    const sides = { end, n, distance: lightnessDistance };
    const negative = walk(groundRgb, { hues: NEGATIVE_HUES, ...sides });
    const map = new Uint8ClampedArray(MAP_SIZE * 3);
    for (let entry = 0; entry < n; entry++) {
      map.set(negative.subarray(entry * 3, entry * 3 + 3), (n - 1 - entry) * 3);
    }
    map.set(walk(groundRgb, { hues: HUES, ...sides }), n * 3);
    return map;
  });
}

/**
 * The colour of a value 0 … 1; what is no number is shown like 0.
 *
 * @param {Uint8ClampedArray} map
 * @param {number} value
 * @returns {Rgb}
 */
export function colourOf(map, value) {
  const entry = mapEntry(value) * 3;
  return [map[entry], map[entry + 1], map[entry + 2]];
}

/** @param {number} value */
function mapEntry(value) {
  return value > 0 ? Math.min(MAP_SIZE - 1, Math.round(value * (MAP_SIZE - 1))) : 0;
}

/**
 * One opaque pixel a value, as ImageData wants them. Of signed values what is no finite number, as
 * a masked score, is left transparent.
 *
 * @param {ArrayLike<number>} values
 * @param {Uint8ClampedArray} map
 * @param {{min: number, max: number}} [range] the values at both ends of the map
 * @returns {Uint8ClampedArray<ArrayBuffer>} values.length × 4
 */
export function paintCells(values, map, { min, max } = { min: 0, max: 1 }) {
  const pixels = new Uint8ClampedArray(values.length * 4);
  for (let i = 0; i < values.length; i++) {
    if (min < 0 && !Number.isFinite(values[i])) continue;
    const entry = mapEntry((values[i] - min) / (max - min)) * 3;
    pixels[4 * i] = map[entry];
    pixels[4 * i + 1] = map[entry + 1];
    pixels[4 * i + 2] = map[entry + 2];
    pixels[4 * i + 3] = 255;
  }
  return pixels;
}

/** @param {Rgb} rgb relative luminance, WCAG 2.2 */
function luminance(rgb) {
  const [red, green, blue] = rgb.map(toLinear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Contrast ratio of two colours, 1 … 21 (WCAG 2.2).
 *
 * @param {Rgb} first
 * @param {Rgb} second
 * @returns {number}
 */
export function contrast(first, second) {
  const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
