/**
 * The page's trained networks: a figure that trains one publishes it here, and a figure that wants
 * trained weights asks here, never another figure.
 *
 * The figure that published a session owns it and withdraws it before it destroys it or trains on
 * with another; whoever reads it only sends `predict`, `tensors` and `tensor`.
 *
 * @typedef {object} Published
 * @property {number} session
 * @property {import('./client.js').EngineClient} client where the session lives
 * @property {import('./protocol.js').Config} config complete
 * @property {number} step updates made
 */

/** @type {Map<object, Published>} */
const published = new Map();
/** @type {Set<() => void>} */
const listeners = new Set();

/** What `owner` has trained so far; replaces what it published before. @param {object} owner @param {Published} session */
export function publishSession(owner, session) {
  published.set(owner, session);
  tell();
}

/** @param {object} owner */
export function withdrawSession(owner) {
  if (published.delete(owner)) tell();
}

/** The networks to be had now, the latest last. */
export function publishedSessions() {
  return [...published.values()].filter(({ client }) => !client.failure);
}

/**
 * Calls `listener` after every change.
 *
 * @param {() => void} listener
 * @returns {() => void} ends it
 */
export function onSessionsChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell() {
  for (const listener of [...listeners]) listener();
}
