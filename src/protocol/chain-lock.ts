/** The Web Lock that a node holds while it uses this IndexedDB database. */
export const chainLock = (database: string): string => `tabnode:${database}`;
