/**
 * The rows of the tables of PSP-6 (JSON-RPC Interface of a Blockchain Node), by section, with our own names.
 * A row's id is `section/word`. Tables that do not describe behavior are left out, except the transports'
 * default addresses.
 */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const sections: Readonly<Record<string, readonly string[]>> = {
  '1': words('HTTP WebSocket'),
  '2.1': words('STRING U32 U64 U128 U8 BOOL MAP ARRAY HEX HASH'),
  '2.2 header': words('parentHash number stateRoot extrinsicsRoot digest digest.logs'),
  '2.2 structures': words(
    `Header Block Health Peer-info Node-role Sync-state Votes RoundState Runtime-version Storage-change-set Read-proof
    Key-types Offchain-storage-kinds Chain-specification`,
  ),
  '2.2 specification': words(
    `name id chainType bootNodes telemetryEndpoints protocolId properties forkBlocks badBlocks consensusEngine
    genesis.raw.top genesis.raw.childrenDefault lightSyncState`,
  ),
  '3.1': words('future ready broadcast inBlock retracted finalityTimeout finalized usurped dropped invalid'),
  '3.2': words('subscribe unsubscribe-known unsubscribe-unknown'),
  '4.1': words('rpc_methods'),
  '4.2': words(
    `system_name system_version system_chain system_chainType system_properties system_health system_localPeerId
    system_localListenAddresses system_peers system_networkState system_addReservedPeer system_removeReservedPeer
    system_nodeRoles system_syncState system_accountNextIndex system_dryRun`,
  ),
  '4.3': words('babe_epochAuthorship'),
  '4.4': words(
    'grandpa_roundState grandpa_proveFinality grandpa_subscribeJustifications grandpa_unsubscribeJustifications',
  ),
  '4.5': words(
    `author_submitExtrinsic author_pendingExtrinsics author_removeExtrinsic author_insertKey author_rotateKeys
    author_hasSessionKeys author_hasKey author_submitAndWatchExtrinsic author_unwatchExtrinsic`,
  ),
  '4.6': words(
    `chain_getHeader chain_getBlock chain_getBlockHash chain_getFinalizedHead chain_subscribeAllHeads
    chain_unsubscribeAllHeads chain_subscribeNewHeads chain_unsubscribeNewHeads chain_subscribeFinalizedHeads
    chain_unsubscribeFinalizedHeads`,
  ),
  '4.7': words('offchain_localStorageSet offchain_localStorageGet'),
  '4.8': words(
    `state_call state_getPairs state_getKeysPaged state_getStorage state_getStorageHash state_getStorageSize
    state_getMetadata state_getRuntimeVersion state_queryStorage state_getReadProof state_subscribeRuntimeVersion
    state_unsubscribeRuntimeVersion state_subscribeStorage state_unsubscribeStorage`,
  ),
  '4.9': words(
    'childstate_getKeys childstate_getStorage childstate_getStorageHash childstate_getStorageSize',
  ),
  '4.10': words(
    `engine_createBlock engine_finalizeBlock payment_queryInfo contracts_call contracts_getStorage
    contracts_rentProjection sync_state_genSyncSpec`,
  ),
  '4.12 unsafe': words(
    `system_addReservedPeer system_removeReservedPeer author_submitExtrinsic author_removeExtrinsic author_insertKey
    author_rotateKeys state_getPairs state_getKeysPaged state_queryStorage childstate_getKeys`,
  ),
  '6': words(
    `grandpa_justifications author_extrinsicUpdate chain_allHead chain_newHead chain_finalizedHead state_runtimeVersion
    state_storage`,
  ),
  '7 ranges': words('author system chain state offchain'),
  '7 errors': words('1001 1002 1010 1011 1012 1013 1014 1015 1016 1017'),
};

export const rowIds: readonly string[] = Object.entries(sections).flatMap(([section, names]) =>
  names.map((name) => `${section}/${name}`),
);
