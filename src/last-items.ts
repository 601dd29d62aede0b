/** Matches the last item of a subscription: the notification's method name, a space, and the item's event. */
const last =
  /^(archive.*(Done|Error)|chainHead.* stop|(author|transaction).* (dropped|error|final.*|invalid|usurped))$/;

/**
 * Whether this item ends the subscription, after which the node sends no more; `method` is the notification's
 * name.
 */
export const isLastItem = (method: string, item: unknown): boolean => {
  // `"ready"`, `{ event: 'stop' }`, `{ finalized: '0x…' }`.
  const { event = Object.keys(item ?? {})[0] } = Object(item);
  return last.test(`${method} ${typeof item === 'string' ? item : event}`);
};
