/**
 * Whether a built file holds a large library that the page loads when it is first used: never ahead of that, and
 * outside the budgets of the panels. Each is a file of its own, named after the module that imports the library.
 */
export const isLibrary = (file) =>
  /(^|\/)(historic|metadata-hash|codemirror|worker-(accounts|words))-[^/]*\.js$/.test(file);

/** Whether the service worker fetches a file with the page's own code: all but libraries, and of those what signs, so that Send works offline. */
export const isStoredAhead = (file) =>
  !isLibrary(file) || /(^|\/)(worker-accounts|metadata-hash)-/.test(file);
