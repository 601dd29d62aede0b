import { readAccount, toAddress } from '../meta/address.ts';
import { argsEntry, type CallMeta, findCall, sudoCall } from '../meta/calls.ts';
import { decodeValue } from '../meta/decode.ts';
import { defaultJson } from '../meta/defaults.ts';
import { decodeExtrinsic, encodeCall } from '../meta/extrinsic.ts';
import { fromHex, readHex, toHex } from '../meta/hex.ts';
import { decodedToJson } from '../meta/json.ts';
import type { Json, RuntimeMeta } from '../meta/types.ts';
import { devAccounts } from '../state/accounts.ts';
import { faultText } from '../state/format.ts';
import { linkWith, type Place } from '../state/route.svelte.ts';
import type { SendOptions } from './signing.ts';

/** The bytes of the call being written, or why there are none. */
export type Encoded =
  | { readonly bytes: Uint8Array; readonly fault: null }
  | { readonly bytes: null; readonly fault: string };

/** A u32 in each runtime. */
const mostNonce = 2 ** 32 - 1;
const periods = [16, 64, 256, 1024, 4096];
const aliceId = devAccounts[0]?.id ?? '';

type Shape = { readonly pallet: string; readonly call: string; readonly args: Json };

/** Takes the bytes of a call apart; a whole extrinsic gives its call. Throws DecodeFault. */
export const readCall = (meta: RuntimeMeta, hex: string): Shape => {
  if (meta.callType === null) throw new TypeError('The metadata does not name the type of calls.');
  let whole: Json;
  try {
    whole = decodedToJson(decodeValue(meta, meta.callType, fromHex(hex)));
  } catch (fault) {
    try {
      whole = decodedToJson(decodeExtrinsic(meta, hex).call);
    } catch {
      throw fault;
    }
  }
  const [pallet = '', inner = null] = Object.entries(whole as Record<string, Json>)[0] ?? [];
  if (typeof inner === 'string') return { pallet, call: inner, args: null };
  const [call = '', args = null] = Object.entries((inner ?? {}) as Record<string, Json>)[0] ?? [];
  return { pallet, call, args };
};

/** The transaction being written. All of it is in the address, so that a link restores it. */
export class CallDraft {
  #written = '';
  #begun = false;
  /** Account id of the sender, 0x text. */
  from = $state(aliceId);
  pallet = $state('System');
  call = $state('remark');
  args = $state.raw<Json>({});
  /** Whether somebody entered arguments: the defaults are not an error of the user. */
  touched = $state(false);
  /** The JSON is incomplete: the arguments are no longer what is written. */
  isBroken = $state(false);
  sudo = $state(false);
  /** As typed: empty for the next nonce, and for no tip. */
  nonce = $state('');
  tip = $state('');
  period = $state<number | null>(64);
  /** Why the bytes in the address, or those pasted, are not a call. */
  loadFault = $state<string | null>(null);

  /** What the metadata says of the call; null where the runtime has none of the name. */
  known(meta: RuntimeMeta): CallMeta | null {
    return findCall(meta, this.pallet, this.call);
  }

  /** The call as it is written. */
  encode(meta: RuntimeMeta): Encoded {
    const known = this.known(meta);
    if (known === null)
      return { bytes: null, fault: `This runtime has no call ${this.pallet}.${this.call}.` };
    if (this.isBroken) return { bytes: null, fault: 'The JSON is incomplete.' };
    try {
      return { bytes: encodeCall(meta, this.pallet, known.name, this.args), fault: null };
    } catch (fault) {
      const words = faultText(fault).replace(`${this.pallet}.${known.name}`, '');
      return { bytes: null, fault: words.replace(/^[.:]\s*/, '') };
    }
  }

  /** The call that is sent: wrapped in Sudo.sudo if chosen. */
  wrap(meta: RuntimeMeta, encoded: Encoded): Encoded {
    if (!this.sudo || encoded.bytes === null) return encoded;
    const bytes = sudoCall(meta, encoded.bytes);
    return bytes === null ? { bytes: null, fault: 'This runtime has no Sudo.sudo.' } : { bytes, fault: null };
  }

  /** Null while nonce or tip are not numbers. */
  get options(): SendOptions | null {
    const nonce = this.nonce.trim();
    const tip = this.tip.replace(/[\s,_]/g, '');
    if (!/^\d{0,10}$/.test(nonce) || Number(nonce) > mostNonce || !/^\d{0,39}$/.test(tip)) return null;
    return { nonce: nonce === '' ? null : Number(nonce), tip: BigInt(tip || 0), period: this.period };
  }

  /** Starts with what most people send first, where the runtime has it. */
  #begin(meta: RuntimeMeta): void {
    const transfer = findCall(meta, 'Balances', 'transfer_keep_alive');
    if (transfer !== null) this.pick(meta, transfer.pallet, transfer.name);
    else this.pick(meta, 'System', 'remark');
  }

  /** Picks another call, with default arguments. */
  pick(meta: RuntimeMeta, pallet: string, call: string): void {
    const known = findCall(meta, pallet, call);
    const entry = known === null ? null : argsEntry(known);
    this.pallet = pallet;
    this.call = known?.name ?? call;
    this.args = entry === null ? null : defaultJson(entry);
    this.touched = false;
    this.isBroken = false;
    this.loadFault = null;
  }

  /** Takes a call, or a whole extrinsic, given as hex. */
  load(meta: RuntimeMeta, hex: string): void {
    if (readHex(hex) === null) {
      this.loadFault = 'Enter the bytes of a call as 0x and pairs of hexadecimal digits.';
      return;
    }
    try {
      const shape = readCall(meta, hex.trim());
      this.pallet = shape.pallet;
      this.call = shape.call;
      this.args = shape.args;
      this.touched = true;
      this.isBroken = false;
      this.loadFault = null;
    } catch (fault) {
      this.loadFault = `These bytes are no call of this runtime: ${faultText(fault)}`;
    }
  }

  /** Follows the address, unless it is the one that this draft wrote. */
  follow(meta: RuntimeMeta, place: Place, address: string): void {
    if (address === this.#written) return;
    this.#written = address;
    const { parts, query } = place;
    const hex = query.get('call') ?? null;
    const [pallet, call] = parts;
    if (pallet === undefined && query.size === 0) {
      // Back at the panel: the draft is as it was.
      if (!this.#begun) this.#begin(meta);
      this.#begun = true;
      return;
    }
    this.#begun = true;
    const from = readAccount(query.get('from') ?? '');
    if (from !== null) this.from = from;
    this.sudo = query.get('sudo') === '1';
    this.nonce = query.get('nonce') ?? '';
    this.tip = query.get('tip') ?? '';
    const period = query.get('era') ?? '64';
    this.period = periods.find((one) => String(one) === period) ?? (period === 'immortal' ? null : 64);
    // Where the bytes are not a call, the rest of the address still counts.
    if (pallet !== undefined) this.pick(meta, pallet, call ?? '');
    if (hex !== null) this.load(meta, hex);
  }

  /** The address that brings this draft back. */
  link(meta: RuntimeMeta, { bytes }: Encoded): string {
    const link = linkWith(
      {
        call: bytes === null || bytes.length > longestInLink ? null : toHex(bytes),
        from: toAddress(this.from, meta.ss58Prefix),
        sudo: this.sudo ? 1 : null,
        nonce: this.nonce.trim() || null,
        tip: this.tip.trim() || null,
        era: this.period === 64 ? null : (this.period ?? 'immortal'),
      },
      'send',
      this.pallet,
      this.call,
    );
    this.#written = link;
    return link;
  }

  /** Choices of mortality. */
  static readonly periods: readonly (number | null)[] = [null, ...periods];
}

/** Browsers keep long addresses, people do not: the code of a runtime is left out. */
const longestInLink = 16_384;
