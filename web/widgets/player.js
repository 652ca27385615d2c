/**
 * Plays an animation: calls `advance` once a frame with the time since the last one, while it is
 * playing. Hidden tabs have no frames, so nothing moves there.
 */
export class Player {
  /** @type {(seconds: number) => void} */
  #advance;
  #frame = 0;
  #last = 0;

  /** Longest time between two frames that counts as watched, s: after a pause nothing jumps. */
  static longest = 0.1;

  /** @param {(seconds: number) => void} advance */
  constructor(advance) {
    this.#advance = advance;
  }

  get playing() {
    return this.#frame !== 0;
  }

  play() {
    if (this.playing) return;
    this.#last = performance.now();
    this.#schedule();
  }

  pause() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #schedule() {
    this.#frame = requestAnimationFrame((time) => {
      const seconds = Math.min(Player.longest, Math.max(0, (time - this.#last) / 1000));
      this.#last = time;
      this.#schedule();
      this.#advance(seconds);
    });
  }
}
