/** The node that the address of the page names, as in `/?rpc=ws://127.0.0.1:9944#/chain`; empty: one is asked for. */
export const remoteOf = (search: string): string | null => new URLSearchParams(search).get('rpc');

/** The address of the page that asks for a node. */
export const connectHref = '?rpc=';
