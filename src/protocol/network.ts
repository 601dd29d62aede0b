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
};

/** Sent on the port for sockets (`NodeConfig.sockets`): a connection to dial. */
export type SocketRequest = { readonly id: number; readonly host: string; readonly port: number };

/** The response: a port that carries the connection's bytes, or why there is none. */
export type SocketReply =
  | { readonly id: number; readonly port: MessagePort }
  | { readonly id: number; readonly error: string };
/**
 * What passes over the port that carries a connection to another node: bytes as they are; how many bytes of the other
 * side have been taken from it, so that it knows how much waits; or why the connection is over, as a last message.
 */
export type NetworkPortMessage = Uint8Array | number | string;

/** Bytes are acknowledged when this many have been taken, so that few messages do. */
export const acknowledgeBytes = 32 * 1024;

/** Acknowledges bytes in few messages. */
export const createAcknowledger = (send: (bytes: number) => void): ((bytes: number) => void) => {
  let taken = 0;
  return (bytes) => {
    taken += bytes;
    if (taken < acknowledgeBytes) return;
    send(taken);
    taken = 0;
  };
};
