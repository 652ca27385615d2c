/**
 * @typedef {object} Token
 * @property {string} text
 * @property {string} note what stands under it
 * @property {string} label its accessible name
 * @property {boolean} moved
 */

/** A pointer that has moved less is pressing, not dragging, px. */
const DRAG_FROM = 6;

/**
 * A row of tokens that exchange their places: one is dragged onto another, or chosen and then the
 * other; arrow keys walk along the row, with Shift they take the token with them.
 */
export class TokenRow {
  /** @type {HTMLElement} */
  #container;
  /** @type {HTMLButtonElement[]} */
  #buttons;
  /** @type {(a: number, b: number) => void} */
  #onExchange;
  /** The place of the token that waits for another. @type {number | null} */
  #picked = null;
  /** The one that went down on a token. @type {{id: number, from: number, x: number, y: number, dragging: boolean} | null} */
  #pointer = null;
  /** The click that ends a drag chooses nothing. */
  #dragged = false;

  /**
   * @param {HTMLElement} container
   * @param {number} n_tokens
   * @param {(a: number, b: number) => void} onExchange two places
   */
  constructor(container, n_tokens, onExchange) {
    this.#container = container;
    this.#onExchange = onExchange;
    this.#buttons = Array.from({ length: n_tokens }, (_, place) => this.#createButton(place));
    container.replaceChildren(...this.#buttons);
    this.#rove(0);
    container.addEventListener('keydown', (event) => this.#press(event));
    container.addEventListener('pointermove', (event) => this.#move(event));
    container.addEventListener('pointerup', (event) => this.#drop(event));
    container.addEventListener('pointercancel', ({ pointerId }) => {
      if (this.#pointer?.id === pointerId) this.#endDrag();
    });
  }

  /** @param {Token[]} tokens by place */
  update(tokens) {
    for (const [place, { text, note, label, moved }] of tokens.entries()) {
      const button = this.#buttons[place];
      const [digit, below] = button.children;
      digit.textContent = text;
      below.textContent = note;
      button.setAttribute('aria-label', label);
      button.classList.toggle('moved', moved);
    }
  }

  /** @param {number} place */
  #createButton(place) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(document.createElement('b'), document.createElement('small'));
    button.setAttribute('aria-pressed', 'false');
    // Until there are tokens the place is all there is to say.
    button.setAttribute('aria-label', String(place));
    button.addEventListener('click', (event) => {
      // The click of a key has no pointer, and ends no drag.
      if (event.detail === 0 || !this.#dragged) this.#choose(place);
      this.#dragged = false;
    });
    button.addEventListener('pointerdown', (event) => {
      this.#dragged = false;
      if (event.button !== 0) return;
      const { pointerId: id, clientX: x, clientY: y } = event;
      this.#pointer = { id, from: place, x, y, dragging: false };
    });
    return button;
  }

  /** @param {number} place */
  #choose(place) {
    this.#rove(place);
    const picked = this.#picked;
    this.#pick(picked === null ? place : null);
    if (picked !== null && picked !== place) this.#onExchange(picked, place);
  }

  /** @param {number | null} place */
  #pick(place) {
    this.#picked = place;
    for (const [other, button] of this.#buttons.entries()) {
      button.setAttribute('aria-pressed', String(other === place));
    }
  }

  /** The tab key finds one token of the row. @param {number} place */
  #rove(place) {
    for (const [other, button] of this.#buttons.entries()) {
      button.tabIndex = other === place ? 0 : -1;
    }
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      this.#pick(null);
      this.#endDrag();
      return;
    }
    const place = this.#buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const last = this.#buttons.length - 1;
    /** @type {Record<string, number>} */
    const moves = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: last };
    const next = moves[event.key];
    if (place === -1 || next === undefined) return;
    event.preventDefault();
    if (next < 0 || next > last || next === place) return;
    this.#rove(next);
    this.#buttons[next].focus();
    if (event.shiftKey) {
      this.#pick(null);
      this.#onExchange(place, next);
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const pointer = this.#pointer;
    if (pointer?.id !== event.pointerId) return;
    // Released where this row is not told of it. A finger or a pen that touches has a button down.
    if (event.buttons === 0) {
      this.#endDrag();
      return;
    }
    const [x, y] = [event.clientX - pointer.x, event.clientY - pointer.y];
    const button = this.#buttons[pointer.from];
    if (!pointer.dragging) {
      if (Math.hypot(x, y) < DRAG_FROM) return;
      pointer.dragging = true;
      this.#pick(null);
      this.#container.setPointerCapture(event.pointerId);
      button.classList.add('dragged');
    }
    button.style.transform = `translate(${x}px, ${y}px)`;
    const target = this.#placeAt(event);
    for (const [place, other] of this.#buttons.entries()) {
      other.classList.toggle('target', place === target && place !== pointer.from);
    }
  }

  /** @param {PointerEvent} event */
  #drop(event) {
    const pointer = this.#pointer;
    if (pointer?.id !== event.pointerId) return;
    const target = pointer.dragging ? this.#placeAt(event) : -1;
    this.#endDrag();
    if (!pointer.dragging) return;
    this.#dragged = true;
    if (target === -1 || target === pointer.from) return;
    this.#rove(target);
    this.#onExchange(pointer.from, target);
  }

  #endDrag() {
    this.#pointer = null;
    for (const button of this.#buttons) {
      button.classList.remove('dragged', 'target');
      button.style.transform = '';
    }
  }

  /** The place under a pointer, not counting the token it drags. @param {PointerEvent} event */
  #placeAt({ clientX, clientY }) {
    return this.#buttons.findIndex((button, place) => {
      if (place === this.#pointer?.from) return false;
      const { left, right, top, bottom } = button.getBoundingClientRect();
      return clientX >= left && clientX < right && clientY >= top && clientY < bottom;
    });
  }
}
