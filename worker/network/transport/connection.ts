/**
 * Why a stream is over: refused (the other side knows none of the names), ended (the other side sends nothing more,
 * but may still be sent to until `close`), reset (by either side), bad (what came breaks the protocol), timeout (no
 * agreement on a name in time), full (too many streams are open), closed (the connection is over).
 */
export type StreamEndReason = 'refused' | 'ended' | 'reset' | 'bad' | 'timeout' | 'full' | 'closed';

/**
 * None of them is called while `open` runs. A `ProtocolError` that they throw ends the stream as bad; anything else
 * ends the connection (`onError`).
 */
export type StreamEvents = {
  /** The name both sides agreed on; for the side that opened the stream, after the other has confirmed it. */
  open?(protocol: string): void;
  /** One whole message of at most `maxMessageBytes`, which is the receiver's to keep. */
  message(message: Uint8Array): void;
  /** Called exactly once; nothing comes after it. */
  end(reason: StreamEndReason): void;
};

export type Stream = {
  /** False if the stream is over or its queue is full: nothing is sent. */
  send(message: Uint8Array): boolean;
  /** Ends this direction after what is queued. */
  close(): void;
  /** Ends both directions at once; the `end` event is called meanwhile. */
  reset(): void;
  /** Bytes that wait to be sent. */
  queued(): number;
  /** Null until both sides have agreed. */
  readonly protocol: string | null;
};

/** What leaves first when several streams have something to send. */
export type Priority = 'vote' | 'announce' | 'answer';

/** How a stream is cut into messages: a LEB128 length before each, or a fixed size in bytes. */
export type Framing = 'length' | { readonly fixed: number };

export type StreamLimits = {
  readonly maxMessageBytes: number;
  readonly priority: Priority;
  readonly framing?: Framing;
  /** How much may be queued; an empty queue takes any message. By default 17 MiB for answers, else 1 MiB. */
  readonly maxQueuedBytes?: number;
  /** Whether the connection stays open for this stream; by default it does. */
  readonly isLasting?: boolean;
};

/** A protocol that the other side may open. */
export type Served = StreamLimits & {
  readonly names: readonly string[];
  /** Null refuses the stream, which is reset. */
  readonly accept: (stream: Stream, connection: Connection) => StreamEvents | null;
};

export type OpenOptions = StreamLimits & {
  /** For the agreement on a name; 5 s by default. */
  readonly timeoutMs?: number;
  /** The first message; with a single name, it leaves in one write with the name. */
  readonly first?: Uint8Array;
};

export type RequestOptions = {
  /** Of the response. */
  readonly maxBytes: number;
  /** For the whole exchange. */
  readonly timeoutMs: number;
  /** Of the request; `announce` by default. */
  readonly priority?: Priority;
};

/** An encrypted connection to another node, whose identity is proven. */
export type Connection = {
  /** The other side's peer id, in base58. */
  readonly remoteId: string;
  /** Its ed25519 public key. */
  readonly remoteKey: Uint8Array;
  readonly isDialer: boolean;
  /**
   * Opens a stream. Several names are tried one after another, and messages wait for the agreement; with a single one,
   * they do not wait.
   */
  open(names: readonly string[], options: OpenOptions, events: StreamEvents): Stream;
  /** Sends one message, or none, and resolves with the one that comes back. Rejects with `PeerFailed`. */
  request(names: readonly string[], message: Uint8Array | null, options: RequestOptions): Promise<Uint8Array>;
  close(reason: string): void;
  /** Resolves with the reason, a sentence. */
  readonly closed: Promise<string>;
};

/** The ed25519 key that identifies this node. */
export type NodeKey = {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
};

export type ConnectOptions = {
  readonly isDialer: boolean;
  readonly key: NodeKey;
  /** Of ed25519. */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /** The connection fails if the other side has another id. */
  readonly expectedId?: string;
  /** What the other side may open now. */
  readonly served: () => readonly Served[];
  readonly schedule: (ms: number, run: () => void) => () => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  /** A connection without a lasting stream ends after this time, 10 s by default; null: never. */
  readonly idleMs?: number | null;
  /** Runs the steps of the handshake, each of which takes milliseconds (`createTurns`); at once by default. */
  readonly turns?: (job: () => void) => void;
  /** Receives what an event of a stream throws, which also ends the connection. */
  readonly onError?: (error: unknown) => void;
};
