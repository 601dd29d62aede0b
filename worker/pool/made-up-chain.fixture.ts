import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToText, concatBytes, textToBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';
import { type BlockHash, bytesToExtrinsicHash, type ExtrinsicHash } from '../codec/identity.ts';
import { createPool, type PoolOptions, type TransactionStatus, type ValidateResult } from './pool.ts';

// Only for short texts, whose length prefix is one byte.
const hash = (bytes: Uint8Array): Uint8Array => {
  const out = new Uint8Array(32);
  out.set(bytes.subarray(0, 32));
  return out;
};

const textOf = (extrinsic: Uint8Array): string => bytesToText(extrinsic.subarray(2));
const extrinsic = (text: string, version = 0x84): Uint8Array => {
  const body = concatBytes(Uint8Array.of(version), textToBytes(text));
  return new Writer().vecBytes(body).finish();
};

/** Validation is not delayed. */
const open = null as Promise<void> | null;

const createTroubles = () => ({
  /** Texts whose validation needs what a fork cannot read. */
  lost: new Set<string>(),
  errors: [] as unknown[],
});

/** A fake chain of accounts with nonces. "name:nonce:tip[:life]" is a signed extrinsic. */
export const createWorld = (options: PoolOptions = {}) => {
  const nonces = new Map<string, number>();
  const refused = new Map<string, ValidateResult>();
  const world = { nowMs: 0, best: 10, validations: 0, gate: open, pause: open, ...createTroubles() };
  const validate = async (bytes: Uint8Array): Promise<ValidateResult> => {
    world.validations++;
    const text = textOf(bytes);
    const [name = '', nonceText = '0', tip = '0', life] = text.split(':');
    const current = nonces.get(name) ?? 0;
    if (world.gate !== null) await world.gate;
    const other = refused.get(text);
    if (other !== undefined) return other;
    const nonce = Number(nonceText);
    if (world.lost.has(text)) throw new NodeError('NotCached', 'This is not to be had');
    if (nonce < current) return { kind: 'invalid', error: Uint8Array.of(3) };
    const tag = (n: number): Uint8Array => textToBytes(`${name}/${n}`);
    return {
      kind: 'valid',
      priority: BigInt(tip),
      requires: nonce > current ? [tag(nonce - 1)] : [],
      provides: [tag(nonce)],
      longevity: life === undefined ? 0xffff_ffff_ffff_ffffn : BigInt(life),
      propagate: true,
    };
  };
  const pool = createPool(
    {
      validate,
      hash,
      now: () => world.nowMs,
      bestNumber: () => world.best,
      sleep: async () => void (await world.pause),
      onError: (error) => world.errors.push(error),
    },
    options,
  );
  const hashOf = (text: string): ExtrinsicHash => bytesToExtrinsicHash(hash(extrinsic(text)));
  const submit = (text: string) => pool.submit(extrinsic(text), 2);
  const watch = (text: string): string[] => {
    const seen: string[] = [];
    pool.watch(hashOf(text), (status) => seen.push(statusText(status)));
    return seen;
  };
  /** Adds a block with these texts and notifies the pool. */
  const block = (
    name: string,
    texts: readonly string[],
    retracted: readonly (readonly [string, readonly string[]])[] = [],
  ): Promise<void> => {
    world.best++;
    for (const [, gone] of retracted)
      for (const text of gone) nonces.set(text.split(':')[0] as string, Number(text.split(':')[1]));
    for (const text of texts) nonces.set(text.split(':')[0] as string, Number(text.split(':')[1]) + 1);
    return pool.onBlock({
      hash: name as BlockHash,
      number: world.best,
      enacted: [
        {
          hash: name as BlockHash,
          extrinsics: [extrinsic('inherent', 0x04), ...texts.map((text) => extrinsic(text))],
        },
      ],
      retracted: retracted.map(([hash_, gone]) => ({
        hash: hash_ as BlockHash,
        extrinsics: [extrinsic('inherent', 0x04), ...gone.map((text) => extrinsic(text))],
      })),
    });
  };
  const order = (): string[] => [...pool.ready()].map((transaction) => textOf(transaction.extrinsic));
  return { world, pool, submit, watch, block, order, hashOf, extrinsic, nonces, refused, textOf };
};

const statusText = (status: TransactionStatus): string => {
  switch (status.kind) {
    case 'inBlock':
    case 'finalized':
      return `${status.kind} ${status.block} ${status.index}`;
    case 'retracted':
    case 'finalityTimeout':
      return `${status.kind} ${status.block}`;
    case 'usurped':
      return `usurped ${bytesToText(Uint8Array.from(status.by.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16)).subarray(2)).replace(/\0+$/, '')}`;
    default:
      return status.kind;
  }
};
