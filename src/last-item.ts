/** Statuses of a transaction after which the node says no more of it, by their name in either form. */
const terminal: ReadonlySet<unknown> = new Set([
  'finalized',
  'finalityTimeout',
  'usurped',
  'dropped',
  'invalid',
  'error',
]);

/** Whether a notification is the last of its subscription, which the node ends by itself after it. */
export const isLastItem = (method: unknown, item: unknown): boolean => {
  if (typeof item !== 'object' || item === null)
    return method === 'author_extrinsicUpdate' && terminal.has(item);
  if (method === 'author_extrinsicUpdate') return Object.keys(item).some((status) => terminal.has(status));
  return method === 'transactionWatch_v1_watchEvent' && 'event' in item && terminal.has(item.event);
};
