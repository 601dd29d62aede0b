import { bytesToKey } from '../bytes/bytes.ts';
import type { Chain } from '../chain/chain.ts';
import type { Header } from '../codec/header.ts';
import { type ApiTarget, targetOf } from '../executor/runtime-api.ts';
import { auraAuthorities } from '../executor/runtime-api-consensus.ts';
import type { Keystore } from '../keystore/keystore.ts';
import { createEpochLookup } from './babe/babe.ts';
import { readConfiguration } from './settings.ts';
import { engineOf } from './verifier.ts';

type Deps = {
  readonly chain: Pick<Chain, 'best' | 'loadHeader' | 'runtimeAt' | 'withState'>;
  readonly keystore: Pick<Keystore, 'publicKeys'>;
  /** Chain time, ms since 1970. */
  readonly clock: { now(): number };
};

type State = Parameters<typeof targetOf>[0] & { readonly parentHeader: Header };

/** The keys of those that may author the block of a moment, as seen from its parent. */
const authorities = {
  babe: (state: State, nowMs: number) => {
    const configuration = readConfiguration(targetOf(state));
    const slot = BigInt(nowMs) / configuration.slotDurationMs;
    return createEpochLookup(state, configuration)(slot).authorities.map(({ publicKey }) => publicKey);
  },
  aura: (state: State): readonly Uint8Array[] => auraAuthorities(targetOf(state) satisfies ApiTarget),
  none: (): readonly Uint8Array[] => [],
};

/**
 * Whether some, but not all, of those that may author the next block have their keys here. May throw what the runtime's
 * call does.
 */
export const isOneOfSeveral = async ({ chain, keystore, clock }: Deps): Promise<boolean> => {
  const { hash } = chain.best();
  const parentHeader = await chain.loadHeader(hash);
  const runtime = await chain.runtimeAt(hash);
  const engine = engineOf(runtime);
  if (parentHeader === null || engine === 'none') return false;
  const all = await chain.withState(hash, (backend) =>
    authorities[engine]({ backend, runtime, parentHeader }, clock.now()),
  );
  const own = new Set(keystore.publicKeys(engine, 'sr25519').map(bytesToKey));
  const isOwn = all.map((key) => own.has(bytesToKey(key)));
  return isOwn.includes(true) && isOwn.includes(false);
};
