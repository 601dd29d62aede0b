import type { PortableDef, TypeShape, TypeTable } from './portable.ts';

type Describe = (idOf: (type: string) => number, table: Pick<TypeTable, 'add'>) => TypeShape;

const primitive =
  (tag: string): Describe =>
  () => ({ def: { tag: 'primitive', value: { tag, value: undefined } } as PortableDef });

/** A fixed number of bytes, as one field of a named type. */
const bytes =
  (len: number, ...path: string[]): Describe =>
  (idOf, { add }) => ({
    path,
    def: {
      tag: 'composite',
      value: [
        {
          name: undefined,
          type: add({ def: { tag: 'array', value: { len, type: idOf('u8') } } }),
          typeName: undefined,
          docs: [],
        },
      ],
    },
  });

const byteList: Describe = (idOf) => ({ def: { tag: 'sequence', value: idOf('u8') } });

type Variant = Extract<PortableDef, { tag: 'variant' }>['value'][number];

const variant = (name: string, index: number, type?: number): Variant => ({
  name,
  index,
  fields: type === undefined ? [] : [{ name: undefined, type, typeName: undefined, docs: [] }],
  docs: [],
});

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** An account id after the byte 255, or an account index of one byte, or of two or four after a mark (pallet-indices). */
const lookupSource: Describe = (idOf) => ({
  path: ['LookupSource'],
  def: {
    tag: 'variant',
    value: [
      ...range(0, 239).map((index) => variant(`Index${index}`, index)),
      variant('Index16', 252, idOf('u16')),
      variant('Index32', 253, idOf('u32')),
      variant('Index64', 254, idOf('u64')),
      variant('Id', 255, idOf('AccountId')),
    ],
  },
});

/** Immortal, or the low byte of a period and phase (sp_runtime::generic::Era). */
const era: Describe = (idOf) => ({
  path: ['sp_runtime', 'generic', 'era', 'Era'],
  def: {
    tag: 'variant',
    value: [variant('Immortal', 0), ...range(1, 255).map((at) => variant(`Mortal${at}`, at, idOf('u8')))],
  },
});

/** Up to 32 bytes, or the hash of more (pallet_identity::Data). */
const data: Describe = (idOf) => ({
  path: ['pallet_identity', 'types', 'Data'],
  def: {
    tag: 'variant',
    value: [
      variant('None', 0),
      variant('Raw0', 1),
      ...range(1, 32).map((size) => variant(`Raw${size}`, size + 1, idOf(`[u8;${size}]`))),
      ...['BlakeTwo256', 'Sha256', 'Keccak256', 'ShaThree256'].map((name, at) =>
        variant(name, 34 + at, idOf('H256')),
      ),
    ],
  },
});

/** An account, or what else addresses one (sp_runtime::MultiAddress). */
const multiAddress: Describe = (idOf) => ({
  path: ['sp_runtime', 'multiaddress', 'MultiAddress'],
  def: {
    tag: 'variant',
    value: ['AccountId', 'Compact<AccountIndex>', 'Bytes', '[u8;32]', '[u8;20]'].map((type, index) =>
      variant(['Id', 'Index', 'Raw', 'Address32', 'Address20'][index] ?? '', index, idOf(type)),
    ),
  },
});

const bits: Describe = (idOf) => ({
  def: { tag: 'bitSequence', value: { bitStoreType: idOf('u8'), bitOrderType: idOf('Null') } },
});

const same =
  (type: string): Describe =>
  (idOf) => ({ def: { tag: 'tuple', value: [idOf(type)] } });

const primitives = [
  'bool',
  'u8',
  'u16',
  'u32',
  'u64',
  'u128',
  'u256',
  'i8',
  'i16',
  'i32',
  'i64',
  'i128',
  'i256',
];

/** Types that `@polkadot/types` implements as classes, so that no definition describes their encoding. */
export const builtIns: Readonly<Record<string, Describe>> = {
  ...Object.fromEntries(primitives.map((name) => [name, primitive(name)])),
  Null: () => ({ def: { tag: 'tuple', value: [] } }),
  U256: primitive('u256'),
  Text: primitive('str'),
  String: primitive('str'),
  Type: primitive('str'),
  Bytes: byteList,
  StorageKey: byteList,
  BitVec: bits,
  GenericAccountId: same('GenericAccountId32'),
  GenericAccountId32: bytes(32, 'sp_core', 'crypto', 'AccountId32'),
  GenericAccountId33: bytes(33, 'AccountId33'),
  GenericEthereumAccountId: bytes(20, 'EthereumAddress'),
  GenericAccountIndex: primitive('u32'),
  GenericConsensusEngineId: bytes(4, 'ConsensusEngineId'),
  GenericVote: primitive('u8'),
  GenericLookupSource: lookupSource,
  GenericMultiAddress: multiAddress,
  GenericExtrinsicEra: era,
  GenericCall: same('Call'),
  GenericEvent: same('Event'),
  Data: data,
};
