/** The beginning of a call as most clients write it. */
const head = /^\{(?:"jsonrpc":"2\.0",)?"id":(-?\d{1,15}|"[\w:.-]{0,100}"),/;

/** The id at the beginning of a call, as JSON, without reading the rest; null if it is not there. */
export const idAtHead = (text: string): string | null => head.exec(text)?.[1] ?? null;
