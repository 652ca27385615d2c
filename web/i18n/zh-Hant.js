/** Every word the page adds to the lesson, in Traditional Chinese (Taiwan usage). */
export const zhHant = {
  'language.name': '中文',
};
