import { hexToBytes } from '../../bytes/hex.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { createEmptyBackend } from '../../state/backend.ts';
import { createOverlay } from '../../state/overlay.ts';
import { emptySource } from '../../trie/node-source.ts';
import { createCallLog } from '../call-log.ts';
import type { CallExtensions } from '../extensions.ts';
import { createFuelMeter } from '../fuel.ts';
import { createGuestMemory } from '../guest-memory.ts';
import type { SignatureCache } from '../signature-cache.ts';
import type { HostContext } from './context.ts';
import { hostFunctions } from './index.ts';

/** Calls a host function by name. An i32 result is a number, a span its bytes, no result null. */
export type HostCall = (name: string, ...values: readonly (Uint8Array | string)[]) => unknown;

/** What a runtime call starts with. */
export type HostCallOptions = {
  readonly extensions?: CallExtensions;
  readonly verifiedSignatures?: SignatureCache;
};

/**
 * Host functions as one runtime call makes them, without a runtime: each argument is bytes (or hexadecimal
 * digits), put into a memory of its own and passed as the pointer or the span that the function takes.
 */
export const beginHostCalls = (crypto: Crypto, options: HostCallOptions = {}): HostCall => {
  const memory = createGuestMemory();
  memory.attach(new WebAssembly.Memory({ initial: 4 }), () => undefined);
  memory.setPageLimit(64);
  memory.allocator.reset(1024);
  const host: HostContext = {
    crypto,
    hashes: crypto,
    memory,
    fuel: createFuelMeter(),
    maxLogLevel: () => 0,
    versionOf: () => null,
    call: {
      overlay: createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource })),
      extensions: options.extensions ?? {},
      verifiedSignatures: options.verifiedSignatures ?? null,
      knownRoot: null,
      log: createCallLog(),
      openTransactions: 0,
      batch: null,
      panic: null,
    },
  };
  return (name, ...values) => {
    const row = hostFunctions.get(name);
    if (row === undefined) throw new Error(`${name} is not in the table`);
    if (row.params.length !== values.length) throw new Error(`${name} takes ${row.params.length} arguments`);
    const passed = values.map((value, at) => {
      const bytes = typeof value === 'string' ? hexToBytes(value) : value;
      return row.params[at] === 'i' ? memory.allocWritePointer(bytes) : memory.allocWrite(bytes);
    });
    const answer: unknown = (row.create(host) as (...all: unknown[]) => unknown)(...passed);
    return typeof answer === 'bigint' ? memory.copy(answer) : (answer ?? null);
  };
};
