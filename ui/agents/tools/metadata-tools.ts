import { writeJson } from '../../../src/protocol/json.ts';
import { type CallMeta, palletCalls } from '../../../src/scale/calls.ts';
import { decodeValue } from '../../../src/scale/decode.ts';
import { defaultJson } from '../../../src/scale/entries.ts';
import { fromHex } from '../../../src/scale/hex.ts';
import { decodedToJson } from '../../../src/scale/json.ts';
import { storageEntries } from '../../../src/scale/storage.ts';
import type { PalletMeta, RuntimeMeta } from '../../../src/scale/types.ts';
import { docsLine } from '../../kit/text/docs.ts';
import { checksMetadataHash, loadMetadataHash } from '../../node/tx/metadata-hash.ts';
import { findBlock } from './blocks.ts';
import { at, callFields, cursor, limit, pallet } from './fields.ts';
import { needCall, needPallet } from './names.ts';
import { described, oneOf, optional, text } from './schema.ts';
import { isAccount, shapeOf } from './shape.ts';
import { cutLong, pageOf, tool } from './tool.ts';

type Row = { readonly name: string; readonly [fact: string]: unknown };

const variantRows = (meta: RuntimeMeta, of: PalletMeta, type: number | undefined): readonly Row[] => {
  const entry = type === undefined ? null : meta.lookup(type);
  if (entry?.type !== 'enum') return [];
  return Object.entries(entry.value).map(([name, { docs }]) => ({
    name: `${of.name}.${name}`,
    docs: docsLine(docs.join('\n')),
  }));
};

const argsText = (meta: RuntimeMeta, { args }: CallMeta): string =>
  args?.type === 'struct'
    ? Object.entries(args.value)
        .map(([name, { id }]) => `${name}: ${meta.typeName(id)}`)
        .join(', ')
    : '';

const rowsOf: Readonly<Record<string, (meta: RuntimeMeta, of: PalletMeta) => readonly Row[]>> = {
  pallets: (meta, of) => [
    {
      name: of.name,
      index: of.index,
      calls: palletCalls(meta, of.name).length,
      storage: of.storage?.items.length ?? 0,
      constants: of.constants.length,
    },
  ],
  calls: (meta, of) =>
    palletCalls(meta, of.name).map((call) => ({
      name: `${of.name}.${call.name}`,
      args: argsText(meta, call),
      docs: docsLine(call.docs),
    })),
  storage: (meta, of) =>
    storageEntries(meta, of.name).map((entry) => ({
      name: `${of.name}.${entry.name}`,
      keys: entry.keys.map(({ name }) => name),
      value: meta.typeName(entry.value),
      docs: docsLine(entry.docs),
    })),
  constants: (meta, of) =>
    of.constants.map(({ name, type, value, docs }) => ({
      name: `${of.name}.${name}`,
      type: meta.typeName(type),
      value: cutLong(decodedToJson(decodeValue(meta, type, fromHex(value)))),
      docs: docsLine(docs.join('\n')),
    })),
  events: (meta, of) => variantRows(meta, of, of.events?.type),
  errors: (meta, of) => variantRows(meta, of, of.errors?.type),
};

const matches = (row: Row, words: readonly string[]): boolean => {
  const text = writeJson(row).toLowerCase();
  return words.every((word) => text.includes(word));
};

const listMetadata = tool({
  name: 'list_metadata',
  title: 'List the runtime metadata',
  description:
    'Lists the pallets in the runtime metadata, or the calls, storage entries, constants (with values), events or errors of one or all pallets. "search" keeps items that have all of its words in name, types or docs.',
  input: {
    kind: oneOf(['pallets', 'calls', 'storage', 'constants', 'events', 'errors']),
    pallet: optional(pallet()),
    search: described(optional(text()), 'Words to look for, such as "transfer alive".'),
    at: at(),
    limit: limit(50, 200),
    cursor: cursor(),
  },
  run: async (context, args) => {
    const { hash } = await findBlock(context, args.at);
    const meta = await context.meta.at(hash);
    const pallets = args.pallet === undefined ? meta.metadata.pallets : [needPallet(meta, args.pallet)];
    const rows = pallets.flatMap((of) => rowsOf[args.kind]?.(meta, of) ?? []);
    const words = (args.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    return pageOf(
      rows.filter((row) => matches(row, words)),
      args.cursor,
      args.limit,
    );
  },
});

const describeCall = tool({
  name: 'describe_call',
  title: 'Describe a call',
  description:
    'The arguments of one call, each with its type and JSON form, the docs of the call, and an example with default values as a template for dry_run_call and submit_call.',
  input: { pallet: callFields.pallet, call: described(text(), 'Call.'), at: at() },
  run: async (context, args) => {
    const { hash } = await findBlock(context, args.at);
    const meta = await context.meta.at(hash);
    const call = needCall(meta, args.pallet, args.call);
    const fields = call.args?.type === 'struct' ? Object.entries(call.args.value) : [];
    return {
      call: `${call.pallet}.${call.name}`,
      docs: cutLong(call.docs),
      args: fields.map(([name, field]) => ({
        name,
        type: meta.typeName(field.id),
        form: shapeOf(meta, field),
      })),
      example: Object.fromEntries(
        fields.map(([name, field]) => [name, isAccount(meta, field) ? 'Alice' : cutLong(defaultJson(field))]),
      ),
    };
  },
});

const metadataHash = tool({
  name: 'metadata_hash',
  title: 'Hash the runtime metadata',
  description:
    'The hash of the runtime metadata (RFC-78), which offline signers compare, and whether transactions can sign it: the runtime needs the extension CheckMetadataHash.',
  input: { at: at() },
  run: async (context, args) => {
    const { hash } = await findBlock(context, args.at);
    const meta = await context.meta.at(hash);
    return { metadataHash: await loadMetadataHash(context, meta), canBeSigned: checksMetadataHash(meta) };
  },
});

export const metadataTools = [listMetadata, describeCall, metadataHash];
