import { NodeError } from '../../src/protocol/errors.ts';
import { Reader } from '../bytes/reader.ts';

/** Hashers of map keys as metadata V14 numbers them. */
export type Hasher = 0 | 1 | 2 | 3 | 4 | 5 | 6;

export type Pallet = {
  readonly name: string;
  readonly index: number;
  /** Each call's index by its name. */
  readonly calls: ReadonlyMap<string, number>;
  readonly prefix: string | null;
  /** Each item's hashers by its name; none for a plain item. */
  readonly items: ReadonlyMap<string, readonly Hasher[]>;
};

/** What is needed to name storage and to build a transaction, from metadata V14. */
export type Outline = {
  readonly pallets: ReadonlyMap<string, Pallet>;
  /** Identifiers of the signed extensions, in order. */
  readonly extensions: readonly string[];
};

type Variants = ReadonlyMap<string, number>;

const text = (reader: Reader): string => reader.text();
const texts = (reader: Reader): string[] => reader.vec(text);
const option = <T>(reader: Reader, read: (reader: Reader) => T): T | null =>
  reader.u8() === 0 ? null : read(reader);
const compact = (reader: Reader): number => reader.compact();

const skipField = (reader: Reader): void => {
  option(reader, text);
  reader.compact();
  option(reader, text);
  texts(reader);
};

const readVariant = (reader: Reader): readonly [string, number] => {
  const name = text(reader);
  reader.vec(skipField);
  const index = reader.u8();
  texts(reader);
  return [name, index];
};

/** A type's definition; only those of enums are kept. */
const readDefinition = (reader: Reader): Variants | null => {
  const kind = reader.u8();
  switch (kind) {
    case 0:
      reader.vec(skipField);
      return null;
    case 1:
      return new Map(reader.vec(readVariant));
    case 2:
    case 6:
      reader.compact();
      return null;
    case 3:
      reader.u32();
      reader.compact();
      return null;
    case 4:
      reader.vec(compact);
      return null;
    case 5:
      reader.u8();
      return null;
    case 7:
      reader.compact();
      reader.compact();
      return null;
    default:
      throw new NodeError('BadScale', `Metadata: unknown type definition ${kind}`);
  }
};

const readTypes = (reader: Reader): ReadonlyMap<number, Variants> => {
  const enums = new Map<number, Variants>();
  reader.vec(() => {
    const id = reader.compact();
    texts(reader);
    reader.vec(() => {
      text(reader);
      option(reader, compact);
    });
    const variants = readDefinition(reader);
    texts(reader);
    if (variants !== null) enums.set(id, variants);
  });
  return enums;
};

const readItem = (reader: Reader): readonly [string, readonly Hasher[]] => {
  const name = text(reader);
  reader.u8();
  const isMap = reader.u8() === 1;
  const hashers = isMap ? reader.vec((from) => from.u8() as Hasher) : [];
  reader.compact();
  if (isMap) reader.compact();
  reader.vecBytes();
  texts(reader);
  return [name, hashers];
};

const skipConstant = (reader: Reader): void => {
  text(reader);
  reader.compact();
  reader.vecBytes();
  texts(reader);
};

const readPallet = (reader: Reader, enums: ReadonlyMap<number, Variants>): Pallet => {
  const name = text(reader);
  const storage = option(reader, () => ({ prefix: text(reader), items: new Map(reader.vec(readItem)) }));
  const calls = option(reader, compact);
  option(reader, compact);
  reader.vec(skipConstant);
  option(reader, compact);
  return {
    name,
    index: reader.u8(),
    calls: (calls === null ? undefined : enums.get(calls)) ?? new Map(),
    prefix: storage?.prefix ?? null,
    items: storage?.items ?? new Map(),
  };
};

/** Null for other versions than 14. */
export const readOutline = (metadata: Uint8Array): Outline | null => {
  const reader = new Reader(metadata);
  reader.u32();
  if (reader.u8() !== 14) return null;
  const enums = readTypes(reader);
  const pallets = reader.vec((from) => readPallet(from, enums));
  reader.compact();
  reader.u8();
  const extensions = reader.vec((from) => {
    const identifier = text(from);
    from.compact();
    from.compact();
    return identifier;
  });
  return { pallets: new Map(pallets.map((pallet) => [pallet.name, pallet])), extensions };
};
