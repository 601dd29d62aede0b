/** The node in the page's URL, as in `/?rpc=ws://127.0.0.1:9944#/chain`; empty to ask for one. */
export const remoteOf = (search: string): string | null => new URLSearchParams(search).get('rpc');

/** URL of the page that asks for a node. */
export const connectHref = '?rpc=';
