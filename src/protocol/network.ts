/** How a node takes part in a network. Addresses are multiaddrs, such as `/ip4/127.0.0.1/tcp/30333/ws/p2p/12D3…`. */
export type NetworkConfig = {
  /** Nodes to begin with. Default: those of the chain specification (`--bootnodes`). */
  readonly bootNodes?: readonly string[];
  /** Peers that are always connected, and need no place (`--reserved-nodes`). */
  readonly reservedNodes?: readonly string[];
  /** Whether there are no peers but the reserved ones (`--reserved-only`). */
  readonly reservedOnly?: boolean;
  /** Places for full nodes that dial us, 32 by default (`--in-peers`). */
  readonly inPeers?: number;
  /** Places for light clients that dial us, 100 by default (`--in-peers-light`). */
  readonly inPeersLight?: number;
  /** How many peers the node dials by itself, 8 by default (`--out-peers`). */
  readonly outPeers?: number;
  /** How many peers are asked for blocks at once, 5 by default (`--max-parallel-downloads`). */
  readonly maxParallelDownloads?: number;
  /** Most blocks of one request, 64 by default (`--max-blocks-per-request`). */
  readonly maxBlocksPerRequest?: number;
  /** Addresses under which others reach the node, besides those it listens on (`--public-addr`). */
  readonly publicAddresses?: readonly string[];
  /** The name that other nodes see (`--name`). */
  readonly name?: string;
  /** Where TCP connections are requested, in Node.js; without it, only WebSockets are dialled. */
  readonly sockets?: MessagePort;
};

/** Sent on `sockets`: a connection to dial. */
export type SocketRequest = { readonly id: number; readonly host: string; readonly port: number };

/** The response: a port that carries the connection's bytes, or why there is none. */
export type SocketReply =
  | { readonly id: number; readonly port: MessagePort }
  | { readonly id: number; readonly error: string };
