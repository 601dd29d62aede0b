/** The files that the built page lists for loading ahead (scripts/load-ahead.ts); empty on other pages. */
const later = (): readonly HTMLLinkElement[] => [
  ...(document
    .querySelector<HTMLTemplateElement>('template#tabnode-later')
    ?.content.querySelectorAll('link') ?? []),
];

/** Safari has no idle callbacks; a timeout replaces them. */
const idle = (): Promise<unknown> =>
  new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));

/**
 * Loads all code that was not used yet, file by file while the page is idle, and the crypto core, so that nothing is missing
 * offline or after an update of the server (docs/decisions/0032). Sets the performance mark
 * `tabnode:complete` once all of it is loaded; otherwise tries again when the browser is back online. Does
 * nothing in data saver mode.
 */
export const loadAhead = async (): Promise<void> => {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  if (connection?.saveData === true) return;
  let missing = 0;
  for (const link of later()) {
    await idle();
    const source = link.getRootNode();
    const came = await new Promise<boolean>((resolve) => {
      link.onload = () => resolve(true);
      link.onerror = () => resolve(false);
      document.head.append(link);
    });
    if (came) continue;
    source.appendChild(link);
    missing += 1;
  }
  // Send signs with it.
  await import('../../node/tx/keys.ts')
    .then(({ loadCore }) => loadCore())
    .catch(() => {
      missing += 1;
    });
  if (missing === 0) performance.mark('tabnode:complete');
  else addEventListener('online', () => void loadAhead(), { once: true });
};
