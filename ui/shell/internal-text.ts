import { faultText } from '../state/format.ts';

/** What a fault of the devtools' own code says: in a build, Svelte tells of its errors by the address of a page only. */
export const internalText = (fault: unknown): string => {
  const text = faultText(fault);
  const name = /^https:\/\/svelte\.dev\/e\/(\w+)/.exec(text)?.[1];
  const stack = fault instanceof Error && fault.stack !== undefined ? `\n${fault.stack}` : '';
  return `Internal error: ${name === undefined ? text : `${name.replaceAll('_', ' ')} (${text})`}${stack}`;
};
