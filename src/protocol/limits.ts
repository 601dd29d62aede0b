/**
 * How much of each resource one client, or one node, may use at a time. This is the only list, except that
 * cache sizes set by the operator are in `NodeConfig`, and limits of the chain's own queues and caches in
 * `worker/chain`.
 */

const mebibyte = 1024 * 1024;

// --- One connection, unless its transport says otherwise ---

export const maxRequestBytes = 15 * mebibyte;
export const maxResponseBytes = 15 * mebibyte;
/** Longer texts are scanned for their requests before these are parsed, and other clients are served meanwhile. */
export const maxWholeText = 65_536;
/**
 * What one request of a longer text may cost to parse: values and member names, of which a short string counts as
 * two, a new name and an integer of 16 digits as ten. Parsing so much takes up to 80 ms. 150,000 entries of a
 * map, each with one key, cost 600,000.
 */
export const maxRequestCost = 640_000;
/** Texts of one connection, and their characters, that wait while one before them is read. */
export const maxTextsWaiting = 32_768;
export const maxCharactersWaiting = 64 * mebibyte;
/**
 * More calls than fit into `maxRequestBytes`, so a client cannot tell it from the SDK's default of no limit.
 */
export const maxBatch = 500_000;
export const maxSubscriptions = 1024;
/**
 * Calls started but not yet answered. The SDK stops reading the socket; a port cannot, so further calls are
 * refused (-32009).
 */
export const maxInFlight = 32_768;
/**
 * Characters that the running calls of one client are expected to return together before its next call waits. A
 * call that is expected to return more runs alone.
 */
export const maxResultsAtOnce = mebibyte;
/** Calls waiting for their turn under a rate limit. */
export const maxRateWaiting = 1024;
/** Concurrent broadcasts of `transaction_v1_broadcast`. */
export const maxBroadcasts = 16;

// --- What waits to be sent over sockets ---

/**
 * A client's next call waits while more than `fullBytes` wait to be sent to it, until at most `drainedBytes` do.
 * With the result after which this is noticed, a client that reads nothing costs at most 4 MiB, unless a single
 * result is larger.
 */
export const fullBytes = mebibyte;
export const drainedBytes = 256 * 1024;
/** Beyond this, which only many notifications or a page behind a bridge can cause, the client is disconnected. */
export const maxUnsentBytes = 32 * mebibyte;
/** Beyond this for all clients together, the one with the most is disconnected. */
export const maxUnsentBytesOfAll = 64 * mebibyte;

// --- One subscription ---

/**
 * Items waiting behind a blocked connection before the subscription is dropped, unless its table entry sets
 * another number.
 */
export const maxItemsWaiting = 16;
/**
 * Items waiting for the subscribe response to be sent, which a batch can delay; a subscription with more is
 * dropped.
 */
export const maxItemsHeld = 65_536;
/** Events whose items have not been created yet; a subscription further behind is dropped. */
export const maxStepsWaiting = 4096;

// --- `chainHead_v1` (the SDK's numbers) ---

export const maxFollows = 4;
export const maxOperations = 16;
/** Blocks pinned by all follows together, and how long one may stay pinned when space is short. */
export const maxPins = 512;
export const maxPinnedMs = 60_000;
/** Maximum number of blocks above the finalized one when a follow starts. */
export const maxLag = 128;

// --- One batch of `dev_subscribeTraffic` ---

export const maxTrafficItems = 1000;
export const maxTrafficCharacters = mebibyte;

// --- One runtime call ---

/** Lines that a call may log, not counting the last one; characters per line. */
export const maxLogLines = 500;
export const maxLogCharacters = 16_384;

// --- A page's node behind a bridge ---

/** How long a call over HTTP waits for a page that may hang. A WebSocket waits as long as its client does. */
export const maxPageCallMs = 120_000;

// --- The node ---

/** Blocks requested by RPC and timers whose sealing has not started. */
export const maxSealJobs = 1024;
/** Secrets derived from a URI that are cached. */
export const maxDerivedSecrets = 256;
