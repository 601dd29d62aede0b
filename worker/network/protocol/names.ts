import type { BlockHash } from '../../codec/identity.ts';

/** What the names of a chain's protocols contain. */
export type ProtocolIdentity = {
  readonly genesis: BlockHash;
  /** `forkId` of the specification: of chains with the same genesis. */
  readonly forkId: string | null;
  /** `protocolId` of the specification, for the older form of the names. */
  readonly protocolId: string | null;
};

/** The protocol id of a specification without one (sc-service `DEFAULT_PROTOCOL_ID`). */
const defaultProtocolId = 'sup';

/**
 * The names of a protocol, the one that is offered first in front: with the genesis hash, and in the older form with the
 * protocol id (sc-network-sync, sc-network-light, sc-network-transactions `generate_protocol_name`).
 */
export const protocolNames = (
  { genesis, forkId, protocolId }: ProtocolIdentity,
  suffix: string,
): readonly string[] => {
  const fork = forkId === null ? '' : `/${forkId}`;
  // GRANDPA's older name has no protocol id (sc-consensus-grandpa `grandpa_protocol_name`).
  const older = suffix === 'grandpa/1' ? '/paritytech' : `/${protocolId ?? defaultProtocolId}`;
  return [`/${genesis.slice(2)}${fork}/${suffix}`, `${older}/${suffix}`];
};
