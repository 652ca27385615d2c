import { describe, expect, test } from '@jest/globals';
import { figureLink, followLink } from '../../web/widgets/figure-link.js';

/** @import { Setting } from '../../web/widgets/figure-settings.js' */

/** @type {Setting[]} */
const SETTINGS = [
  { name: 'p', label: 'positions.p', default: 24, min: 0, max: 47 },
  { name: 'd_model', label: 'positions.d_model', default: 32, min: 4, max: 128 },
];

/** An element with attributes, as far as links need one. */
class FakeFigure {
  static observedAttributes = ['p', 'd-model'];
  localName = 'attn-positions';

  /** @param {Record<string, string>} [attributes] @param {string} [id] of its place */
  constructor(attributes = {}, id = '') {
    this.attributes = attributes;
    this.id = id;
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  closest() {
    return this.id === '' ? null : { id: this.id };
  }
}

/** @param {FakeFigure} figure */
const linkTo = (figure) =>
  figureLink('https://a.example/lesson/?p=1&utm=2#top', /** @type {any} */ (figure), SETTINGS);

describe('a link to a figure', () => {
  test('says what departs from the lesson, and where the figure stands', () => {
    expect(linkTo(new FakeFigure({ 'd-model': '64', title: 'x' }, 'positions'))).toBe(
      'https://a.example/lesson/?figure=attn-positions&d-model=64#positions',
    );
  });

  test('has no place where the figure has none', () => {
    expect(linkTo(new FakeFigure())).toBe('https://a.example/lesson/?figure=attn-positions');
  });
});

describe('a link that is followed', () => {
  /** @param {string} search @param {FakeFigure} figure */
  const follow = (search, figure) => {
    /** @type {string[]} */
    const sought = [];
    const root = {
      querySelector: (/** @type {string} */ tag) => {
        sought.push(tag);
        return tag === figure.localName ? figure : null;
      },
    };
    followLink(search, /** @type {any} */ (root));
    return { sought, attributes: figure.attributes };
  };

  test('comes to the same settings', () => {
    const { search } = new URL(linkTo(new FakeFigure({ p: '3', 'd-model': '64' })));
    expect(follow(search, new FakeFigure()).attributes).toEqual({ p: '3', 'd-model': '64' });
  });

  test('sets nothing that the figure does not read', () => {
    const search = '?figure=attn-positions&p=3&onclick=alert(1)&style=x';
    expect(follow(search, new FakeFigure()).attributes).toEqual({ p: '3' });
  });

  test.each(['', '?p=3', '?figure=attn-other&p=3', '?figure=body,attn-positions&p=3'])(
    'is no link to this figure: %j',
    (search) => {
      const { sought, attributes } = follow(search, new FakeFigure());
      expect(attributes).toEqual({});
      expect(sought.every((tag) => /^attn-[a-z-]+$/.test(tag))).toBe(true);
    },
  );
});
