import { Keyring } from '@polkadot/keyring';
import { expect } from 'vitest';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import type { Node } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import type { HeapVector } from './heap-vectors.ts';

const textHex = (text: string): string => bytesToHex(new TextEncoder().encode(text));
export const u32Bytes = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
export const u32Hex = (value: number): string => bytesToHex(u32Bytes(value));

type Spec = { genesis: { raw: { top: Record<string, string> } } };

/** A raw specification with another runtime and another value of `:heappages`. */
export const specWith = (
  specJson: string,
  code: Uint8Array,
  { value }: Pick<HeapVector, 'value'>,
): string => {
  const spec = JSON.parse(specJson) as Spec;
  spec.genesis.raw.top[textHex(':code')] = bytesToHex(code);
  if (value !== null) spec.genesis.raw.top[textHex(':heappages')] = value;
  return JSON.stringify(spec);
};

/** Sudo calls of //Alice, in this order, each of which sets a key of the state to a number. */
export const signSettings = async (
  node: Node,
  settings: readonly (readonly [key: string, value: number])[],
): Promise<string[]> => {
  const { api, close } = await openApi(node);
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const signed: string[] = [];
  for (const [nonce, [key, value]] of settings.entries()) {
    const set = api.tx['system']?.['setStorage']?.([[textHex(key), u32Hex(value)]]);
    const sudo = await api.tx['sudo']?.['sudo']?.(set as never).signAsync(alice, { nonce, era: 0 });
    signed.push(sudo?.toHex() as string);
  }
  await close();
  return signed;
};

export const submit = async (node: Node, text: string): Promise<void> => {
  expect(await node.parts.pool.submit(hexToBytes(text), 1)).toMatchObject({ ok: true });
};
