/**
 * How much of each thing one client, or one node, may have at a time: the one list. Sizes of caches that the
 * operator chooses are in `NodeConfig`; those of the chain's own queues and caches stand in `worker/chain`.
 */

const mebibyte = 1024 * 1024;

// --- One connection (RPC.md §4.6), unless its transport says otherwise ---

export const maxRequestBytes = 15 * mebibyte;
export const maxResponseBytes = 15 * mebibyte;
/** More calls than fit into `maxRequestBytes`: the SDK's default, no limit, looks the same to a client. */
export const maxBatch = 500_000;
export const maxSubscriptions = 1024;
/**
 * Calls that were begun and are not answered. The SDK stops reading the socket; a port cannot, so that more
 * are refused (-32009).
 */
export const maxInFlight = 32_768;
/** Calls that wait for their turn under a rate limit. */
export const maxRateWaiting = 1024;
/** Broadcasts of `transaction_v1_broadcast` (RPC.md §2.10). */
export const maxBroadcasts = 16;

// --- One subscription ---

/**
 * Items behind a blocked connection before the subscription is dropped (RPC.md §3.4), where its table entry
 * names no other number.
 */
export const maxItemsWaiting = 16;
/**
 * Items that wait for the subscribe response to leave, which a batch can delay; a subscription with more is
 * dropped.
 */
export const maxItemsHeld = 65_536;
/** Events whose items are not made yet; a subscription further behind is dropped. */
export const maxStepsWaiting = 4096;

// --- `chainHead_v1` (RPC.md §2.8, the SDK's numbers) ---

export const maxFollows = 4;
export const maxOperations = 16;
/** Blocks pinned by all follows together, and how long one may be when room is short. */
export const maxPins = 512;
export const maxPinnedMs = 60_000;
/** Blocks above the finalized one with which a follow can begin. */
export const maxLag = 128;

// --- One batch of `dev_subscribeTraffic` ---

export const maxTrafficItems = 1000;
export const maxTrafficCharacters = mebibyte;

// --- One runtime call ---

/** Lines that a call may log, without the last one; characters of a line. */
export const maxLogLines = 500;
export const maxLogCharacters = 16_384;

// --- The node ---

/** Blocks asked for and not begun, by RPC and timers. */
export const maxSealJobs = 1024;
/** Secrets that were derived from a URI and are kept. */
export const maxDerivedSecrets = 256;
