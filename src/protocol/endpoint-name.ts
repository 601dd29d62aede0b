/** Between `//` and `@`, and what follows the path, where the text as a whole is no URL. */
const secrets = /(?<=\/\/)[^/?#]*@|[?#].*$/gs;

/**
 * The URL of an endpoint as errors, logs and statistics show it. What may be a secret is left out: user, password, query
 * and fragment. Other texts are shown as they are.
 */
export const nameEndpoint = (text: string): string => {
  if (!text.includes('//')) return text;
  if (!URL.canParse(text)) return text.replaceAll(secrets, '');
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
};
