import { faultText } from './format.ts';

/**
 * The text of an error in the devtools' own code. In a build, the message of a Svelte error is only the URL
 * of a page that explains it.
 */
export const internalText = (fault: unknown): string => {
  const text = faultText(fault);
  const name = /^https:\/\/svelte\.dev\/e\/(\w+)/.exec(text)?.[1];
  const stack = fault instanceof Error && fault.stack !== undefined ? `\n${fault.stack}` : '';
  return `Internal error: ${name === undefined ? text : `${name.replaceAll('_', ' ')} (${text})`}${stack}`;
};
