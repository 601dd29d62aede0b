import { dispatchErrorText } from './dispatch-error.ts';
import { fieldOf, readEra } from './names.ts';
import type { Decoded, Meaning, UnifiedMetadata } from './types.ts';

/** How a page writes the parts of a text: its token, its times and numbers. */
export type Words = {
  /** An amount in the chain's unit. */
  amount(value: bigint): string;
  /** Milliseconds since 1970. */
  moment(ms: number): string;
  number(value: number | bigint): string;
  /** Bytes in short. */
  bytes(value: Uint8Array): string;
  /** Picoseconds of execution, and bytes of proof. */
  weight(refTime: number, proofSize: number): string;
};

type Fields = Extract<UnifiedMetadata['lookup'][number]['def'], { tag: 'composite' }>['value'];

/** A type, and the field that holds the value: what decides about a meaning. */
type Found = {
  /** The path of the value's type: `['sp_arithmetic', 'per_things', 'Perbill']`. */
  readonly path: readonly string[];
  /** The field, if its type alone does not tell; null where only the type is known. */
  readonly field: {
    readonly name: string;
    /** As the source writes it, but for `Compact<…>`: `BalanceOf<T>`; without `T::` in metadata before V14. */
    readonly typeName: string;
    /** The path of the struct or enum that has the field. */
    readonly owner: readonly string[];
    /** Whether that is an enum: calls or events. */
    readonly isVariant: boolean;
    /** Whether the enum belongs to the first instance of pallet-balances, which holds the chain's own currency. */
    readonly isOwnBalances: boolean;
    /** Whether the struct is the account data of System.Account. */
    readonly isAccountData: boolean;
  } | null;
};

type Row = {
  matches(found: Found): boolean;
  /** Null for a value of another form, which is then written as any other. */
  text(value: Decoded, words: Words): string | null;
};

/**
 * SDK pallets that declare the amounts of their calls and events as `BalanceOf<T>`, the balance of their
 * configured currency, which is the chain's own. In other pallets the amount may be of an asset with a
 * different unit.
 */
const ofChain =
  /^pallet_(staking(_async)?|nomination_pools|treasury|bounties|child_bounties|tips|society|democracy|conviction_voting|vesting|identity|contracts|revive|proxy|multisig|transaction_payment)$/;
/** A type without the `Compact<…>` around it. */
const plainType = (name: string): string => name.replace(/^Compact<(.*)>$/, '$1');
/** `BalanceOf<T>`, `Option<BalanceOf<T>>`, and the type name of a compact balance inside an option. */
const balanceOf = /^(Option<)?<?BalanceOf<T(, I)?>( as codec::HasCompact>::Type)?>?$/;

const isAmount = ({ path, field }: Found): boolean => {
  if (field === null) return path.join('::') === 'pallet_transaction_payment::ChargeTransactionPayment';
  const { name, typeName, owner, isVariant, isOwnBalances, isAccountData } = field;
  if (isAccountData) return name !== 'flags';
  if (!isVariant || !/^(Call|Event)$/.test(owner.at(-1) ?? '')) return false;
  if (isOwnBalances) return /^(T::)?Balance$/.test(typeName);
  return ofChain.test(owner[0] ?? '') && balanceOf.test(typeName);
};

const numberText =
  (write: (value: number | bigint, words: Words) => string): Row['text'] =>
  (value, words) =>
    value.kind === 'number' ? write(value.value, words) : null;

/** Parts of one whole of each of sp_arithmetic's `PerThing` types. */
const wholes: Readonly<Record<string, bigint>> = {
  Percent: 100n,
  PerU16: 65535n,
  Permill: 10n ** 6n,
  Perbill: 10n ** 9n,
  Perquintill: 10n ** 18n,
};

/** Parts of one whole that values of a type count; null for other types. Metadata before V14 has only the name. */
export const wholeOf = (path: readonly string[]): bigint | null =>
  path.length === 1 || path.includes('per_things') ? (wholes[path.at(-1) ?? ''] ?? null) : null;

/** At most this many decimals of a percentage that has no end. */
const mostDecimals = 16;

/** A part of a whole in percent, exactly where that is possible: `12.5%`. */
export const percentText = (value: bigint, whole: bigint): string => {
  const digits = String((value * 10n ** BigInt(mostDecimals + 2)) / whole).padStart(mostDecimals + 1, '0');
  const fraction = digits.slice(-mostDecimals).replace(/0+$/, '');
  return `${digits.slice(0, -mostDecimals)}${fraction === '' ? '' : `.${fraction}`}%`;
};

/** Parts of a whole from a text such as `12.5%`; null for another text, and for more decimals than there are parts. */
export const readPercent = (text: string, whole: bigint): bigint | null => {
  const [, integer, fraction = ''] = /^\s*(\d{1,3})(?:\.(\d{1,18}))?\s*%\s*$/.exec(text) ?? [];
  if (integer === undefined) return null;
  const scale = 100n * 10n ** BigInt(fraction.length);
  const parts = BigInt(integer + fraction) * whole;
  return parts % scale === 0n && parts <= scale * whole ? parts / scale : null;
};

/** A value of System.Account: free balance, its other nonzero amounts, and the nonce. Reference counts are left out. */
const accountText: Row['text'] = (value, words) => {
  const [data, nonce] = [fieldOf(value, 'data'), fieldOf(value, 'nonce')];
  if (nonce?.kind !== 'number' || data?.kind !== 'struct') return null;
  // Only amounts: the account data of other pallets may be in any unit.
  const held = data.fields.flatMap(({ label, value: of }) =>
    of.meaning === 'amount' && of.kind === 'number' ? [{ label, sum: BigInt(of.value) }] : [],
  );
  if (!held.some(({ label }) => label === 'free')) return null;
  const amounts = held
    .filter(({ label, sum }) => label === 'free' || sum !== 0n)
    .map(({ label, sum }) => (label === 'free' ? words.amount(sum) : `${label} ${words.amount(sum)}`));
  return [...amounts, `nonce ${words.number(nonce.value)}`].join(' · ');
};

/** A digest item with the name of its engine, which it holds as four characters: `PreRuntime BABE 0x02…`. */
const digestItemText: Row['text'] = (item, words) => {
  if (item.kind !== 'variant') return null;
  const [engine, payload] = item.value?.kind === 'list' ? item.value.items : [null, item.value];
  const known = engine?.kind === 'bytes' ? [new TextDecoder().decode(engine.value)] : [];
  const bytes = payload?.kind === 'bytes' ? [words.bytes(payload.value)] : [];
  return [item.name, ...known, ...bytes].join(' ');
};

const eraText: Row['text'] = (value, words) => {
  const era = readEra(value);
  return era === null ? 'immortal' : `${words.number(era.period)} blocks, phase ${words.number(era.phase)}`;
};

const isType =
  (...paths: readonly string[]) =>
  ({ path, field }: Found): boolean =>
    field === null && paths.includes(path.join('::'));

/**
 * What values mean beyond their type, and how each is written in one line. A further one is a name in types.ts, a row here
 * and, if it is typed in another way than its type, an editor (ui/values/editors.ts).
 */
const rows: Readonly<Record<Meaning, Row>> = {
  amount: { matches: isAmount, text: numberText((value, words) => words.amount(BigInt(value))) },
  /** Milliseconds since 1970. */
  moment: {
    matches: ({ field }) => field?.owner[0] === 'pallet_timestamp' && /^(T::)?Moment$/.test(field.typeName),
    text: numberText((value, words) => words.moment(Number(value))),
  },
  /** A number whose bits are flags: hexadecimal, with as many digits as the largest flag needs. */
  flags: {
    matches: ({ field }) => field?.name === 'flags',
    text: numberText((value) => `0x${value.toString(16)}`),
  },
  /** A part of a whole: Percent, Permill, Perbill, … */
  part: {
    matches: ({ path, field }) => field === null && wholeOf(path) !== null,
    text: (value) => {
      const whole = wholes[plainType(value.type)];
      return value.kind === 'number' && whole !== undefined ? percentText(BigInt(value.value), whole) : null;
    },
  },
  era: { matches: isType('sp_runtime::generic::era::Era'), text: eraText },
  weight: {
    matches: ({ path, field }) => field === null && path.at(-1) === 'Weight',
    text: (value, words) => {
      const [time, proof] = ['ref_time', 'proof_size'].map((name) => fieldOf(value, name));
      return time?.kind === 'number' && proof?.kind === 'number'
        ? words.weight(Number(time.value), Number(proof.value))
        : null;
    },
  },
  digestItem: {
    matches: ({ path, field }) => field === null && path.at(-1) === 'DigestItem',
    text: digestItemText,
  },
  dispatchError: {
    matches: ({ path, field }) => field === null && path.at(-1) === 'DispatchError',
    text: (value) => dispatchErrorText(null, value),
  },
  account: { matches: isType('frame_system::AccountInfo'), text: accountText },
};

const names = Object.keys(rows) as Meaning[];
const find = (found: Found): Meaning | null => names.find((name) => rows[name].matches(found)) ?? null;

/** A value in one line by its meaning; null if it has none. */
export const meaningText = (value: Decoded, words: Words): string | null =>
  value.meaning ? rows[value.meaning].text(value, words) : null;

/** Finds the meanings of a runtime's types and of their fields. */
export const createMeanings = ({ lookup, pallets }: UnifiedMetadata) => {
  const pathOf = (type: number): readonly string[] => lookup[type]?.path ?? [];
  const balances = pallets.find(({ name }) => name === 'Balances');
  const own = [balances?.calls?.type, balances?.events?.type];
  const isBalances = pathOf(balances?.calls?.type ?? -1)[0] === 'pallet_balances';
  /** Whether the meaning of a struct's fields depends on the struct around it: the account data in System.Account. */
  const isOuter = (outer: number, inner: number): boolean =>
    pathOf(outer).join('::') === 'frame_system::AccountInfo' &&
    pathOf(inner).join('::') === 'pallet_balances::types::AccountData';
  return {
    isOuter,
    ofType: (type: number): Meaning | null => {
      const def = lookup[type]?.def;
      return find({ path: pathOf(def?.tag === 'compact' ? def.value : type), field: null });
    },
    /** The meanings of fields by name, for those whose types do not tell. `within` is the struct around. */
    ofFields: (
      owner: number,
      variant: string | null,
      fields: Fields,
      within: number | null,
    ): Readonly<Record<string, Meaning>> => {
      const common = {
        owner: pathOf(owner),
        isVariant: variant !== null,
        isOwnBalances: isBalances && own.includes(owner),
        isAccountData: within !== null && isOuter(within, owner),
      };
      return Object.fromEntries(
        fields.flatMap(({ name = '', type, typeName = '' }) => {
          const found = find({
            path: pathOf(type),
            field: { ...common, name, typeName: plainType(typeName) },
          });
          return found === null ? [] : [[name, found] as const];
        }),
      );
    },
    /** The meaning of a storage entry's value, if its type does not tell. */
    ofEntry: (pallet: string, name: string): Meaning | null => {
      const crate = pathOf(pallets.find((one) => one.name === pallet)?.calls?.type ?? -1)[0];
      if (crate === 'pallet_balances' && pallet === 'Balances' && /^(Total|Inactive)Issuance$/.test(name))
        return 'amount';
      return crate === 'pallet_timestamp' && name === 'Now' ? 'moment' : null;
    },
  };
};
