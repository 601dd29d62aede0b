const sheets: CSSStyleSheet[] = [];
const roots = new Set<ShadowRoot>();

/** Gives a style to every root of the devtools, now and later; the build writes the calls (vite.config.ts). */
export const addStyle = (css: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  sheets.push(sheet);
  for (const root of roots) root.adoptedStyleSheets = sheets;
};

/** Gives a root the styles until the returned function is called. */
export const adoptStyles = (root: ShadowRoot): (() => void) => {
  roots.add(root);
  root.adoptedStyleSheets = sheets;
  return () => {
    roots.delete(root);
  };
};
