import * as specs from '@polkadot-api/known-chains';
import { expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../worker/bytes/hex.ts';
import { encodeHeader } from '../worker/codec/header.ts';
import { loadCrypto } from '../worker/crypto/crypto.ts';
import { orderedRoot } from '../worker/trie/ordered-root.ts';
import { findLiveChain, liveChainNames, liveChains, needLiveChain } from './live-chains.ts';

const { blake2b256 } = await loadCrypto();

/** The hash of a genesis block with this state. */
const genesisOf = (stateRoot: string): string => {
  const header = {
    parentHash: new Uint8Array(32),
    number: 0,
    stateRoot: hexToBytes(stateRoot),
    extrinsicsRoot: orderedRoot(blake2b256, [], 0),
    digest: [],
  };
  return bytesToHex(blake2b256(encodeHeader(header)));
};

it.each(Object.entries(liveChains))('%s has the genesis of its specification', (name, { genesisHash }) => {
  const text = (specs as Readonly<Record<string, string>>)[name.replaceAll('-', '_')];
  const { genesis } = JSON.parse(text ?? '{}') as { readonly genesis: { readonly stateRootHash: string } };
  expect(genesisHash).toBe(genesisOf(genesis.stateRootHash));
});

it('names public nodes that no other chain has', () => {
  const urls = Object.values(liveChains).flatMap(({ endpoints }) => [...endpoints]);
  expect(new Set(urls).size).toBe(urls.length);
  for (const url of urls) expect(new URL(url).protocol).toBe('wss:');
  for (const { endpoints } of Object.values(liveChains)) expect(endpoints.length).toBeGreaterThan(1);
});

it('finds a chain by its name only', () => {
  expect(liveChainNames).toContain('polkadot-asset-hub');
  expect(findLiveChain('kusama')?.title).toBe('Kusama');
  for (const name of ['Polkadot', 'toString', '']) expect(findLiveChain(name)).toBeNull();
  expect(() => needLiveChain('polkadto')).toThrow(/"polkadto" is known by name. Expected one of polkadot, /);
});
