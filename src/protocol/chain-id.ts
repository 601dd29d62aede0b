/** A chain is stored in a folder of its id, and file systems have no longer names. */
const longestId = 255;

/** A name that someone else chose, as printable ASCII in quotes and no longer than a line. */
export const quoteName = (name: string): string => {
  const start = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  const escaped = start.replace(/[^\x20-\x7e…]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
  return `"${escaped}"`;
};

/** Why a chain cannot have this id, or null. */
export const chainIdFault = (id: string): string | null => {
  if (id === '') return 'its id is empty';
  if (id.length <= longestId) return null;
  return `its id ${quoteName(id)} has ${id.length} characters; ${longestId} are allowed`;
};

/** The Web Lock that a node holds while it uses this IndexedDB database. */
export const chainLock = (database: string): string => `tabnode:${database}`;

/** The IndexedDB database of what all forks of a browser have read of live chains. */
export const sharedNodes = 'tabnode-nodes';
