/** After which items the node sends no more of a subscription, by the name of its notifications. */
const lastItems: Readonly<Record<string, RegExp>> = {
  archive_v1_storageDiffEvent: /(Done|Error)$/,
  archive_v1_storageEvent: /(Done|Error)$/,
  author_extrinsicUpdate: /^(dropped|finalityTimeout|finalized|invalid|usurped)$/,
  chainHead_v1_followEvent: /^stop$/,
  transactionWatch_v1_watchEvent: /^(dropped|error|finalized|invalid)$/,
};

/** What an item says: `ready`, `{ event: 'stop' }`, `{ finalized: '0x…' }`. */
const wordOf = (item: unknown): unknown => {
  if (typeof item !== 'object' || item === null) return item;
  return 'event' in item ? item.event : Object.keys(item)[0];
};

/** Whether the subscription is over with this item. */
export const isLastItem = (method: string, item: unknown): boolean =>
  lastItems[method]?.test(String(wordOf(item))) === true;
