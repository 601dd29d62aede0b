import { NodeError } from '../../src/protocol/errors.ts';
import type { BlockJson } from '../../src/protocol/node.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { type Block, decodeExtrinsic } from './block.ts';
import { decodeHeader } from './header.ts';
import type { Justification, Justifications } from './justification.ts';

/** Throws `BadHex`, `BadScale`. */
export const decodeBlockJson = (json: BlockJson): Block => ({
  header: decodeHeader(hexToBytes(json.header)),
  extrinsics: json.extrinsics.map((text) => decodeExtrinsic(hexToBytes(text))),
});

/** Throws `BadHex`, and `BadBlock` for an engine id that is not four bytes long. */
export const decodeJustificationsJson = ({ justifications }: BlockJson): Justifications | null =>
  justifications?.map(([engine, data]): Justification => {
    const id = hexToBytes(engine);
    if (id.length !== 4)
      throw new NodeError('BadBlock', 'The engine id of a justification is not 4 bytes long');
    return [id, hexToBytes(data)];
  }) ?? null;
