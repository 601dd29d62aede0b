const id = '(-?\\d{1,15}|"[\\w:.-]{0,100}")';
/** The beginning of a call as most clients write it, and the end of one whose id is its last member. */
const head = new RegExp(`^\\{(?:"jsonrpc":"2\\.0",)?"id":${id},`);
const tail = new RegExp(`,\\s{0,9}"id"\\s{0,9}:\\s{0,9}${id}\\s{0,9}\\}\\s{0,9}$`);
/** More characters than the end of a call has that contains its id. */
const tailLength = 160;

/** The id at the beginning of a call, as JSON, without reading the rest; null if it is not there. */
export const idAtHead = (text: string): string | null => head.exec(text)?.[1] ?? null;

/**
 * The id at the beginning or end of a call, as JSON, without reading the rest; null if it is not there. The last
 * member of a text that is one object is a member of that object.
 */
export const idAtEnds = (text: string): string | null =>
  idAtHead(text) ?? (/^\s{0,9}\{/.test(text) ? (tail.exec(text.slice(-tailLength))?.[1] ?? null) : null);
