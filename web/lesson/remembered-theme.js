// Sets the theme the reader chose before the page is first painted, so that it does not flash in
// another one. A classic script, because modules run only after the page is parsed.
try {
  const theme = localStorage.getItem('theme');
  if (theme !== null) document.documentElement.dataset.theme = theme;
} catch {
  // Without storage, as in a sandboxed frame, the page follows the system.
}
