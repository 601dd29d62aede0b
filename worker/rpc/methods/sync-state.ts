import { NodeError } from '../../../src/protocol/errors.ts';
import type { syncState as table } from '../../../src/protocol/rpc/network.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { encodeHeader } from '../../codec/header.ts';
import { encodeEpochChanges } from '../../consensus/babe/epoch-changes.ts';
import { createIsBelow, readFinalizedSet } from '../../consensus/grandpa/grandpa.ts';
import { encodeSdkSet } from '../../consensus/grandpa/set-record.ts';
import type { RpcDialect } from '../dialects/dialect.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';
import { chainTypeOf } from './system.ts';

type Deps = Pick<RpcParts, 'chain' | 'grandpa' | 'crypto'>;

/** The SDK's code for a sync state that cannot be built (sc-sync-state-rpc). */
const failed = (message: string): RpcError => new RpcError(1, message);

/** sc-sync-state-rpc `LightSyncState`. */
const loadSyncState = async ({ chain, grandpa, crypto }: Deps) => {
  const { view } = chain;
  // Reading the state is asynchronous. The authority set is therefore requested again after the last read, so
  // that it belongs to the same moment as the tree and the finalized block.
  const hasBabe = await view.readState(
    chain.best().hash,
    ({ runtime }) => runtime.apiVersion('BabeApi') !== null,
  );
  if (!hasBabe) throw failed('Failed to load the BABE epoch data: Background worker is not running');
  const unchanged = (await grandpa.authoritySet()) ?? (await readFinalizedSet({ crypto }, view));
  const set = (await grandpa.authoritySet()) ?? unchanged;
  const blocks = view.tree.all();
  const finalized = view.tree.finalized();
  if (set === null) throw failed('The runtime has no GRANDPA authority set');
  // The genesis block was not imported, so its weight is unknown.
  if (finalized.number === 0) throw failed(`Failed to load the block weight for block ${finalized.hash}`);
  const grandpaAuthoritySet = bytesToHex(encodeSdkSet(set, finalized.number, createIsBelow(view, null)));
  const header = await view.loadHeader(finalized.hash);
  if (header === null) throw failed(`Failed to get header for hash ${finalized.hash}`);
  const { loadHashAt, genesisHash } = chain;
  return {
    finalizedBlockHeader: bytesToHex(encodeHeader(header)),
    babeEpochChanges: bytesToHex(
      await encodeEpochChanges({ ...view, loadHashAt, genesisHash }, blocks, finalized),
    ),
    babeFinalizedBlockWeight: finalized.weight,
    grandpaAuthoritySet,
  };
};

const writeSpec = async ({ chain }: Pick<Deps, 'chain'>, isRaw: boolean, dialect: RpcDialect) => {
  const { name, id, bootNodes, properties, rest } = chain.spec;
  const { telemetryEndpoints = null, protocolId = null, forkBlocks = null, badBlocks = null } = rest;
  const { consensusEngine: _, codeSubstitutes: code = {}, ...extensions } = rest;
  // `parseChainSpec` accepts nothing else.
  const codeSubstitutes = code as object;
  const common = { name, id, chainType: chainTypeOf(chain.spec, dialect), bootNodes, telemetryEndpoints };
  const known = { ...common, protocolId, properties: { ...properties }, forkBlocks, badBlocks };
  const genesis = await chain.genesisJson(isRaw);
  return dialect.chainSpec({ known, extensions, codeSubstitutes, genesis });
};

export const syncStateMethods: Handlers<typeof table, Deps> = {
  sync_state_genSyncSpec: async (deps, { raw }, { dialect }) => {
    try {
      const lightSyncState = await loadSyncState(deps);
      return { ...(await writeSpec(deps, raw, dialect)), lightSyncState };
    } catch (error) {
      throw error instanceof NodeError
        ? failed(`Failed to load the BABE epoch data: ${error.message}`)
        : error;
    }
  },
};
