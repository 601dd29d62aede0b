import { readAccount, toAddress } from '../../meta/address.ts';
import { argsEntry, type CallMeta, findCall, sudoCall } from '../../meta/calls.ts';
import { decodeValue } from '../../meta/decode.ts';
import { defaultJson } from '../../meta/defaults.ts';
import { decodeExtrinsic, encodeCall } from '../../meta/extrinsic.ts';
import { fromHex, readHex, toHex } from '../../meta/hex.ts';
import { decodedToJson } from '../../meta/json.ts';
import type { Json, RuntimeMeta } from '../../meta/types.ts';
import { linkWith, type Place } from '../../page/route.svelte.ts';
import { devAccounts } from '../../state/accounts.ts';
import type { SendOptions } from '../../state/transactions/signing.ts';
import { faultText } from '../../text/format.ts';

/** The bytes of the call being edited, or why it cannot be encoded. */
export type Encoded =
  | { readonly bytes: Uint8Array; readonly fault: null }
  | { readonly bytes: null; readonly fault: string };

/** The maximum nonce: a u32 in every runtime. */
const mostNonce = 2 ** 32 - 1;
const periods = [16, 64, 256, 1024, 4096];
const aliceId = devAccounts[0]?.id ?? '';

type Shape = { readonly pallet: string; readonly call: string; readonly args: Json };

/** Decodes the bytes of a call or of a whole extrinsic, whose call is returned. Throws DecodeFault. */
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

/** The transaction being edited. The URL stores all of it, so that a link restores it. */
export class CallDraft {
  #written = '';
  #begun = false;
  /** Account id of the sender, as a 0x string. */
  from = $state(aliceId);
  pallet = $state('System');
  call = $state('remark');
  args = $state.raw<Json>({});
  /** Whether the user has entered arguments; before that, invalid defaults are not the user's error. */
  touched = $state(false);
  /** Whether the JSON is incomplete, so that `args` no longer matches the text. */
  isBroken = $state(false);
  sudo = $state(false);
  /** As typed; an empty nonce means the next one, an empty tip none. */
  nonce = $state('');
  tip = $state('');
  period = $state<number | null>(64);
  /** Why the bytes in the URL, or the pasted ones, are not a call. */
  loadFault = $state<string | null>(null);

  /** Metadata of the call; null if the runtime has no such call. */
  known(meta: RuntimeMeta): CallMeta | null {
    return findCall(meta, this.pallet, this.call);
  }

  /** Encodes the call as currently edited. */
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

  /** The call to send, wrapped in Sudo.sudo if that option is on. */
  wrap(meta: RuntimeMeta, encoded: Encoded): Encoded {
    if (!this.sudo || encoded.bytes === null) return encoded;
    const bytes = sudoCall(meta, encoded.bytes);
    return bytes === null ? { bytes: null, fault: 'This runtime has no Sudo.sudo.' } : { bytes, fault: null };
  }

  /** Null if the nonce or the tip is not a valid number. */
  get options(): SendOptions | null {
    const nonce = this.nonce.trim();
    const tip = this.tip.replace(/[\s,_]/g, '');
    if (!/^\d{0,10}$/.test(nonce) || Number(nonce) > mostNonce || !/^\d{0,39}$/.test(tip)) return null;
    return { nonce: nonce === '' ? null : Number(nonce), tip: BigInt(tip || 0), period: this.period };
  }

  /** Starts with the most common call, if the runtime has it. */
  #begin(meta: RuntimeMeta): void {
    const transfer = findCall(meta, 'Balances', 'transfer_keep_alive');
    if (transfer !== null) this.pick(meta, transfer.pallet, transfer.name);
    else this.pick(meta, 'System', 'remark');
  }

  /** Selects another call, with default arguments. */
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

  /** Loads a call, or the call of a whole extrinsic, from hex. */
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
      this.loadFault = `These bytes are not a call of this runtime: ${faultText(fault)}`;
    }
  }

  /** Restores the draft from the URL, unless the draft itself wrote that URL. */
  follow(meta: RuntimeMeta, place: Place, address: string): void {
    if (address === this.#written) return;
    this.#written = address;
    const { parts, query } = place;
    const hex = query.get('call') ?? null;
    const [pallet, call] = parts;
    if (pallet === undefined && query.size === 0) {
      // The panel was reopened: keep the draft.
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
    // If the bytes are not a valid call, the rest of the URL still applies.
    if (pallet !== undefined) this.pick(meta, pallet, call ?? '');
    if (hex !== null) this.load(meta, hex);
  }

  /** The URL that restores this draft. */
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

  /** The available mortality periods in blocks; null means immortal. */
  static readonly periods: readonly (number | null)[] = [null, ...periods];
}

/**
 * Longer calls, such as a runtime's code, are left out of the URL: browsers accept them, but nobody can use
 * such a link.
 */
const longestInLink = 16_384;
