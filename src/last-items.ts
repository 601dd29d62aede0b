/** The last item of a subscription: the word it contains, by the name of the notifications. */
const last =
  /^(archive.*(Done|Error)|chainHead.* stop|(author|transaction).* (dropped|error|final.*|invalid|usurped))$/;

/** Whether this item ends the subscription, given the name of its notifications: the node sends no more. */
export const isLastItem = (method: string, item: unknown): boolean => {
  // `"ready"`, `{ event: 'stop' }`, `{ finalized: '0x…' }`.
  const { event = Object.keys(item ?? {})[0] } = Object(item);
  return last.test(`${method} ${typeof item === 'string' ? item : event}`);
};
