/** What a carrier tells its connection. */
export type CarrierEvents = {
  /** Bytes may come in pieces of any size. They are valid during the call only. */
  bytes(bytes: Uint8Array): void;
  /** Called once; nothing comes after it. */
  close(reason: string): void;
  /** `buffered()` fell. */
  drain(): void;
};

/** The ordered bytes of a WebSocket, a TCP socket or a MessagePort. */
export type Carrier = {
  /** One message per call on a WebSocket. The bytes are the carrier's from then on. */
  send(bytes: Uint8Array): void;
  /** Bytes that the system has not taken yet. */
  buffered(): number;
  close(): void;
  /** Called once, by the connection. What arrived before is delivered then. */
  listen(events: CarrierEvents): void;
};
