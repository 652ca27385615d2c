/** @typedef {import('./protocol.js').ErrorData} ErrorData */

/**
 * What went wrong in the engine, on either side of the worker. `code` decides what a figure does
 * about it (see `ErrorData`); `message` is English, for logs; the page words its own.
 */
export class EngineError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Record<string, string | number>} [detail]
   */
  constructor(code, message, detail = {}) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.detail = detail;
  }

  /** @param {ErrorData} data */
  static fromData({ code, message, detail }) {
    return new EngineError(code, message, detail);
  }

  /** @returns {ErrorData} */
  toData() {
    return { code: this.code, message: this.message, detail: this.detail };
  }
}
