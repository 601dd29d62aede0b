/** By the name of the notifications and the word of the item: what is the last one. */
const last =
  /^(archive.*(Done|Error)|chainHead.* stop|(author|transaction).* (dropped|error|final.*|invalid|usurped))$/;

/**
 * Whether a subscription, by the name of its notifications, is over with this item: the node sends no more.
 */
export const isLastItem = (method: string, item: unknown): boolean => {
  // `"ready"`, `{ event: 'stop' }`, `{ finalized: '0x…' }`.
  const { event = Object.keys(item ?? {})[0] } = Object(item);
  return last.test(`${method} ${typeof item === 'string' ? item : event}`);
};
