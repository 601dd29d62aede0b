import { bad } from '../cli/arguments.ts';
import { mostFileBytes, readFileBytes, readLimited, whyUnread } from '../files/read-file.ts';

const isUrl = (path: string): boolean => /^https?:\/\//i.test(path);

/** Until then, a server must have sent the whole file. */
const patienceMs = 60_000;

const download = async (url: string): Promise<Uint8Array> => {
  // biome-ignore lint/style/noRestrictedGlobals: the operator names the URL on the command line
  const { ok, status, body } = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
  if (!ok || body === null) throw new Error(`the server responds ${status}`);
  return readLimited(body as unknown as AsyncIterable<Uint8Array>, mostFileBytes);
};

/** What `fetch` hides behind "fetch failed". */
const whyFailed = (cause: unknown): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return whyUnread(inner);
};

/**
 * The bytes of a file, or of an http(s) URL. `option` is the option that names it, `hint` is added where it cannot be read.
 * Throws `BadConfig`.
 */
export const readPlace = async (
  path: string,
  { option, hint = '' }: { readonly option?: string; readonly hint?: string } = {},
): Promise<Uint8Array> => {
  try {
    return await (isUrl(path) ? download(path) : readFileBytes(path));
  } catch (cause) {
    const where = option === undefined ? path : `${option}: ${path}`;
    throw bad(`${where} cannot be read: ${whyFailed(cause)}${hint}`, cause);
  }
};

/** The same as text. Throws `BadConfig` for bytes that are none. */
export const readTextPlace = async (...request: Parameters<typeof readPlace>): Promise<string> => {
  const bytes = await readPlace(...request);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw bad(`${request[0]} is no text in UTF-8`, cause);
  }
};
