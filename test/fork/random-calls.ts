import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { NamedCall } from './signer.ts';

/** What random choices are made from. */
export type Dice = {
  /** A whole number from 0 to below `limit`. */
  upTo(limit: number): number;
  pick<T>(list: readonly T[]): T;
  bytes(length: number): string;
};

export const createDice = (random: () => number): Dice => {
  const upTo = (limit: number): number => Math.floor(random() * limit);
  return {
    upTo,
    pick: <T>(list: readonly T[]) => list[upTo(list.length)] as T,
    bytes: (length) => bytesToHex(Uint8Array.from({ length }, () => upTo(256))),
  };
};

const sudo = ([pallet, name, args]: NamedCall): NamedCall => [
  'Sudo',
  'sudo',
  { call: { [pallet]: { [name]: args } } },
];

/** Keys outside the pallets that share nibbles, so that branches are made and merged at even and odd places. */
const someKey = ({ pick, upTo, bytes }: Dice): string =>
  `0x70${pick(['0', '1', 'f'])}${pick(['0', '1', 'f'])}${upTo(2) === 0 ? '' : bytes(upTo(3)).slice(2)}`;

/** Around the length from which V1 keeps a value apart from its node. */
const someValue = ({ pick, bytes }: Dice): string => bytes(pick([0, 1, 31, 32, 33, 200]));

const contractLimit = { ref_time: 5_000_000_000, proof_size: 500_000 };

/** Accounts by number; most of them do not exist at first. */
const accountOf = (index: number): string => `0x${(index + 16).toString(16).padStart(2, '0').repeat(32)}`;

const transfer = (dice: Dice): NamedCall => [
  'Balances',
  dice.pick(['transfer_allow_death', 'transfer_keep_alive']),
  {
    dest: { Id: accountOf(dice.upTo(12)) },
    value: String(10n ** BigInt(10 + dice.upTo(5))),
  },
];

const remark = (dice: Dice): NamedCall => [
  'System',
  'remark_with_event',
  { remark: dice.bytes(dice.upTo(300)) },
];

const keysOf = (dice: Dice, count: number): string[] => Array.from({ length: count }, () => someKey(dice));

/** One call of the default runtime. `contract`: an account of `storingContract`, null if there is none. */
export const someCall = (dice: Dice, contract: string | null): NamedCall => {
  const kinds: (() => NamedCall)[] = [
    () => transfer(dice),
    () => transfer(dice),
    () => remark(dice),
    () => {
      const calls = [transfer(dice), remark(dice), transfer(dice)];
      const values = calls.map(([pallet, name, args]) => ({ [pallet]: { [name]: args } }));
      return ['Utility', dice.pick(['batch', 'batch_all', 'force_batch']), { calls: values }];
    },
    () => {
      const items = keysOf(dice, 1 + dice.upTo(8)).map((key) => [key, someValue(dice)]);
      return sudo(['System', 'set_storage', { items }]);
    },
    () => sudo(['System', 'kill_storage', { keys: keysOf(dice, 1 + dice.upTo(6)) }]),
    () => {
      const prefix = dice.pick(['0x70', '0x7000', '0x7001', '0x70ff']);
      return sudo(['System', 'kill_prefix', { prefix, subkeys: dice.upTo(5) }]);
    },
    () => {
      const [pallet, name, args] = remark(dice);
      const call = { [pallet]: { [name]: args } };
      const when = 1 + dice.upTo(4);
      return sudo(['Scheduler', 'schedule_after', { after: when, maybe_periodic: null, priority: 0, call }]);
    },
    () => ['Preimage', 'note_preimage', { bytes: dice.bytes(1 + dice.upTo(100)) }],
    () => [
      'Proxy',
      dice.pick(['add_proxy', 'remove_proxy']),
      {
        delegate: { Id: accountOf(dice.upTo(3)) },
        proxy_type: 'Any',
        delay: 0,
      },
    ],
  ];
  if (contract !== null)
    kinds.push(() => [
      'Contracts',
      'call',
      {
        dest: { Id: contract },
        value: '0',
        gas_limit: contractLimit,
        storage_deposit_limit: null,
        data: `0x${dice.pick(['aaaa', 'aaab', 'bbbb'])}${dice.pick(['0000', '1111'])}${dice.bytes(dice.upTo(60)).slice(2)}`,
      },
    ]);
  return dice.pick(kinds)();
};
