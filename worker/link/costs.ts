/**
 * What messages cost their sender (sc-network, sc-network-sync), in addition to the costs of GRANDPA's
 * gossip.
 */
export const costs = {
  undecodable: -(1 << 12),
  tooLarge: -(1 << 24),
  otherGenesis: -0x7fff_ffff,
  beforeStatus: -(1 << 16),
  badBlock: -(1 << 29),
  badProof: -(1 << 16),
  notRequested: -(1 << 20),
  useless: -(1 << 20),
  flood: -(1 << 10),
  noReply: -(1 << 10),
} as const;

/** A link ends when the reputation falls below this (sc-network `BANNED_THRESHOLD`). */
export const bannedBelow = 71 * Math.trunc(-0x8000_0000 / 100);

/** The share of a reputation, good or bad, that remains after a second (sc-network). */
export const keptPerSecond = 199 / 200;

/** A request without a reply is given up after this time (sc-network-sync). */
export const replyMs = 20_000;

/** A block has at most 5 MB; messages of several blocks end at a smaller size. */
export const maxMessageBytes = 8 * 1024 * 1024;
export const maxResponseBytes = 1024 * 1024;
export const maxResponseBlocks = 64;
/**
 * Maximum bytes of messages that a peer has not handled yet, and how many of its bytes it acknowledges at
 * once.
 */
export const maxUnderWayBytes = 2 * maxMessageBytes;
export const acknowledgedBytes = 64 * 1024;
/** Maximum number of waiting messages per peer, and how many of them may be announcements. */
export const maxQueued = 64;
export const maxQueuedSpare = 48;
/** Maximum number of GRANDPA messages that wait for a voter. */
export const maxEarly = 64;
export const maxEarlyBytes = 1024 * 1024;
