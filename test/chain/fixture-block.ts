import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { decodeHeader } from '../../worker/codec/header.ts';
import { signedBlockToJson } from '../../worker/codec/signed-block.ts';

/** A block of the shared fixtures: the header and each full extrinsic as SCALE hex. */
export type FixtureBlock = {
  readonly number: number;
  readonly hash: string;
  readonly header: string;
  readonly body: readonly string[];
};

/** Converts it to the form of `chain_getBlock`. */
export const fixtureToJson = ({ header, body }: Pick<FixtureBlock, 'header' | 'body'>): SignedBlockJson =>
  signedBlockToJson({
    header: decodeHeader(hexToBytes(header)),
    extrinsics: body.map((text) => hexToBytes(text)),
    justifications: null,
  });
