const sheets: CSSStyleSheet[] = [];
const roots = new Set<ShadowRoot>();

/**
 * Adds a style sheet to every current and future root of the devtools; the build generates the calls
 * (vite.config.ts).
 */
export const addStyle = (css: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  sheets.push(sheet);
  for (const root of roots) root.adoptedStyleSheets = sheets;
};

/** Adopts the styles in a root until the returned function is called. */
export const adoptStyles = (root: ShadowRoot): (() => void) => {
  roots.add(root);
  root.adoptedStyleSheets = sheets;
  return () => {
    roots.delete(root);
  };
};
