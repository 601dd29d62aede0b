/**
 * What the messages of a peer cost it, besides GRANDPA's own reputationChanges (sc-network-sync, sc-network-transactions and
 * sc-network, `rep`; sc-network-sync `block_request_handler.rs`).
 */
export const reputationChanges = {
  /** It is on another chain, or has sent an invalid proof of finality. */
  fatal: -0x8000_0000,
  badBlock: -(2 ** 29),
  /** Of a block that is good itself. */
  badJustification: -(2 ** 16),
  /** A response without the blocks that were requested. */
  badResponse: -(2 ** 29),
  badAnnouncement: -4096,
  /** Headers or bodies are missing in a response. */
  incompleteResponse: -4096,
  sameRequest: -4096,
  sameSmallRequest: -1024,
  refused: -1024,
  timeout: -1024,
  undecodable: -4096,
  transaction: -16,
  /** Of a transaction that was known already: it costs nothing. */
  knownTransaction: 16,
  goodTransaction: 128,
  badTransaction: -4096,
  disconnected: -256,
} as const;
