import { readAccount, toAddress } from '../../../../src/scale/address.ts';
import { type CallMeta, findCall, isBatch, sudoCall } from '../../../../src/scale/calls.ts';
import { tryAmount } from '../../../../src/scale/encode.ts';
import { defaultJson } from '../../../../src/scale/entries.ts';
import { encodeCall } from '../../../../src/scale/extrinsic.ts';
import { readHex, toHex } from '../../../../src/scale/hex.ts';
import type { Json, RuntimeMeta } from '../../../../src/scale/types.ts';
import { currentFrame } from '../../../kit/page/frame.ts';
import { linkWith, type Place, type Route } from '../../../kit/page/route.svelte.ts';
import { throttle } from '../../../kit/page/throttle.ts';
import { watch } from '../../../kit/page/watch.svelte.ts';
import { faultText } from '../../../kit/text/format.ts';
import { devAccounts } from '../../../node/accounts.ts';
import type { SendOptions } from '../../../node/tx/signing.ts';
import { readKeptCall, writeKeptCall } from './kept-call.ts';
import { readCall } from './read-call.ts';

/** The bytes of the call being edited, or why it cannot be encoded. */
export type Encoded =
  | { readonly bytes: Uint8Array; readonly fault: null }
  | { readonly bytes: null; readonly fault: string };

/** The maximum nonce: a u32 in every runtime. */
const mostNonce = 2 ** 32 - 1;
const periods = [16, 64, 256, 1024, 4096];
/** The other pages of the panel, in the place of a pallet. */
const otherPages = new Set(['upgrade', 'raw', 'pool']);
/**
 * Longer calls, such as a runtime's code, are left out of the URL: browsers accept them, but nobody can use
 * such a link.
 */
const longestInLink = 16_384;

/** The fields of the form. */
type Fields = {
  /** Account id of the sender, as a 0x string. */
  readonly from: string;
  readonly pallet: string;
  readonly call: string;
  readonly args: Json;
  /** Whether the user has entered arguments; before that, invalid defaults are not the user's error. */
  readonly touched: boolean;
  /** Incomplete JSON, which `args` does not match; null if there is none. */
  readonly broken: string | null;
  /** Whether a reload lost the arguments, and `args` are the defaults. */
  readonly isLost: boolean;
  readonly sudo: boolean;
  /** As typed; an empty nonce means the next one, an empty tip none. */
  readonly nonce: string;
  readonly tip: string;
  readonly period: number | null;
  readonly metadataHash: boolean;
};

/**
 * The transaction being edited. Each change goes to the URL, so that a link restores it; a navigation to
 * another call replaces it.
 */
export class CallDraft {
  #route: Pick<Route, 'place' | 'replace'>;
  #meta: () => RuntimeMeta = () => {
    throw new Error('The draft does not follow the address yet.');
  };
  #now = $state.raw<Fields>({
    from: devAccounts[0]?.id ?? '',
    ...{ pallet: '', call: '', args: null, touched: false, broken: null, isLost: false },
    ...{ sudo: false, nonce: '', tip: '', period: 64, metadataHash: false },
  });
  #chain: string | null = null;
  readonly #keptKey: string;
  /** The URL that was read or written last. */
  #seen = '';
  /** Why the bytes in the URL, or the pasted ones, are not a call. */
  loadFault = $state<string | null>(null);
  #isTooLarge = $state.raw(false);

  /** Calls that the URL cannot hold are kept for the chain with this genesis hash. */
  constructor(route: Pick<Route, 'place' | 'replace'>, genesis: string) {
    this.#route = route;
    this.#keptKey = `tabnode.call.${genesis}`;
  }

  get now(): Fields {
    return this.#now;
  }

  /** What a reload does to a call that is too large to keep, or did; null for others. */
  get keepFault(): string | null {
    if (this.#now.isLost) return 'This draft was too large to keep over a reload. Enter the arguments again.';
    return this.#isTooLarge ? 'This draft is too large to keep over a reload.' : null;
  }

  /** Follows the URL until the returned function is called. `meta` returns that of the runtime. */
  follow(meta: () => RuntimeMeta): () => void {
    this.#meta = meta;
    this.#chain = this.#route.place.chain;
    this.#read();
    // After a runtime upgrade, the same call has other bytes.
    watch(meta, () => this.#writeSoon());
    return currentFrame().address.watch(() => this.#read());
  }

  /** Changes what the user has edited. */
  change(fields: Partial<Fields>): void {
    const isLost = this.#now.isLost && !('args' in fields);
    this.#now = { ...this.#now, isLost, ...fields };
    this.#writeSoon();
  }

  /** Metadata of the call; null if the runtime has no such call. */
  known(meta: RuntimeMeta): CallMeta | null {
    return findCall(meta, this.#now.pallet, this.#now.call);
  }

  /** Encodes the call as currently edited. */
  encode(meta: RuntimeMeta): Encoded {
    const { pallet, call, args, broken, isLost } = this.#now;
    const known = this.known(meta);
    if (known === null) {
      const name = [pallet, call].filter(Boolean).join('.');
      return { bytes: null, fault: `This runtime has no call ${name}.` };
    }
    if (broken !== null) return { bytes: null, fault: 'The JSON is incomplete.' };
    if (isLost) return { bytes: null, fault: this.keepFault ?? '' };
    try {
      return { bytes: encodeCall(meta, pallet, known.name, args), fault: null };
    } catch (fault) {
      const words = faultText(fault).replace(`${pallet}.${known.name}`, '');
      return { bytes: null, fault: words.replace(/^[.:]\s*/, '') };
    }
  }

  /** The call to send, wrapped in Sudo.sudo if that option is on. */
  wrap(meta: RuntimeMeta, encoded: Encoded): Encoded {
    if (!this.#now.sudo || encoded.bytes === null) return encoded;
    const bytes = sudoCall(meta, encoded.bytes);
    return bytes === null ? { bytes: null, fault: 'This runtime has no Sudo.sudo.' } : { bytes, fault: null };
  }

  /** Null if the nonce or the tip is not a valid number. */
  get options(): SendOptions | null {
    const { period, metadataHash } = this.#now;
    const nonce = this.#now.nonce.trim();
    const tip = this.#now.tip.trim() === '' ? 0n : tryAmount(this.#now.tip);
    if (!/^\d{0,10}$/.test(nonce) || Number(nonce) > mostNonce || tip === null) return null;
    return { nonce: nonce === '' ? null : Number(nonce), tip, period, metadataHash };
  }

  /** Selects another call, with default arguments; a batch starts with the calls that the form has so far. */
  pick(pallet: string, call: string): void {
    const meta = this.#meta();
    const known = findCall(meta, pallet, call);
    const entry = known?.args ?? null;
    this.loadFault = null;
    const toBatch = isBatch(meta, entry);
    const args = toBatch ? { calls: this.#calls() } : entry === null ? null : defaultJson(entry);
    const touched = toBatch && this.#now.touched;
    this.change({ pallet, call: known?.name ?? call, args, touched, broken: null });
  }

  /** The call of the form, or the calls of its batch. */
  #calls(): readonly Json[] {
    const { pallet, call, args } = this.#now;
    const meta = this.#meta();
    const known = this.known(meta);
    if (known === null) return [];
    if (!isBatch(meta, known.args)) return [{ [pallet]: args === null ? call : { [call]: args } }];
    const calls = Object(args).calls;
    return Array.isArray(calls) ? calls : [];
  }

  /** Turns the call into a batch with a copy of it, to be changed. */
  addCall(): void {
    this.pick('Utility', 'batch_all');
    const calls = this.#calls();
    this.change({ args: { calls: [...calls, ...calls] } });
  }

  /** Loads a call, or the call of a whole extrinsic, from hex. */
  load(hex: string): void {
    if (readHex(hex) === null) {
      this.loadFault = 'Enter the bytes of a call as 0x followed by pairs of hexadecimal digits.';
      return;
    }
    try {
      const shape = readCall(this.#meta(), hex.trim());
      this.loadFault = null;
      this.change({ ...shape, touched: true, broken: null });
    } catch (fault) {
      this.loadFault = `These bytes are not a call of this runtime: ${faultText(fault)}`;
    }
  }

  /** Whether the URL is that of the form, on this chain: one of another chain is about to open it. */
  #isOpen(): boolean {
    const { chain, panel, parts } = this.#route.place;
    const isOther = chain !== null && this.#chain !== null && chain !== this.#chain;
    return panel === 'send' && !isOther && !otherPages.has(parts[0] ?? '');
  }

  /** Restores the draft from the URL, unless the draft itself wrote that URL or it names no call. */
  #read(): void {
    if (!this.#isOpen()) return;
    const { parts, query } = this.#route.place;
    const address = currentFrame().address.read();
    const isBare = parts.length === 0 && query.size === 0;
    const isFirst = this.#now.pallet === '';
    if (isBare && isFirst) this.#begin();
    if (!isBare && address !== this.#seen) this.#restore(parts, query);
    if (isFirst && query.get('call') === undefined) this.#resume(isBare);
    this.#seen = address;
    this.#write();
  }

  /** Starts with the most common call, if the runtime has it. */
  #begin(): void {
    const transfer = findCall(this.#meta(), 'Balances', 'transfer_keep_alive');
    this.pick(transfer?.pallet ?? 'System', transfer?.name ?? 'remark');
  }

  /** After a reload, brings back what the URL cannot hold; a URL that names another call takes precedence. */
  #resume(isBare: boolean): void {
    const kept = readKeptCall(this.#keptKey);
    const { pallet, call } = this.#now;
    if (!kept || !(isBare || (kept.pallet === pallet && kept.call === call))) return;
    if (kept.isLost) this.pick(kept.pallet, kept.call);
    this.change(kept.isLost ? { isLost: true, touched: true } : kept);
  }

  #restore([pallet, call = '']: Place['parts'], query: Place['query']): void {
    const era = query.get('era') ?? '64';
    this.#now = {
      ...this.#now,
      from: readAccount(query.get('from') ?? '') ?? this.#now.from,
      sudo: query.get('sudo') === '1',
      nonce: query.get('nonce') ?? '',
      tip: query.get('tip') ?? '',
      period: periods.find((one) => String(one) === era) ?? (era === 'immortal' ? null : 64),
      metadataHash: query.get('hash') === '1',
    };
    // If the bytes are not a valid call, the rest of the URL still applies.
    if (pallet !== undefined) this.pick(pallet, call);
    const hex = query.get('call');
    if (hex === undefined) return;
    const named = this.known(this.#meta())?.label;
    this.load(hex);
    const loaded = this.known(this.#meta())?.label;
    if (pallet === undefined || named === undefined || loaded === named) return;
    // Written for another runtime: what was meant is the call with this name.
    this.pick(pallet, call);
    this.loadFault = `The bytes in the address are those of ${loaded}, not of ${named}.`;
  }

  #writeSoon = throttle(() => {
    // A navigation in the meantime takes precedence.
    if (this.#isOpen() && currentFrame().address.read() === this.#seen) this.#write();
  });

  /** Replaces the URL by that of this draft. */
  #write(): void {
    if (this.loadFault !== null) return;
    const { from, pallet, call, args, touched, broken, isLost, sudo, nonce, tip, period, metadataHash } =
      this.#now;
    const meta = this.#meta();
    const { bytes } = this.encode(meta);
    const isInLink = bytes !== null && bytes.length <= longestInLink;
    const isKept = !isInLink && (touched || broken !== null);
    const kept = isKept ? { pallet, call, args, touched, broken, isLost } : null;
    this.#isTooLarge = !writeKeptCall(this.#keptKey, kept);
    this.#seen = linkWith(
      {
        call: isInLink ? toHex(bytes) : null,
        from: toAddress(from, meta.ss58Prefix),
        sudo: sudo ? 1 : null,
        nonce: nonce.trim() || null,
        tip: tip.trim() || null,
        era: period === 64 ? null : (period ?? 'immortal'),
        hash: metadataHash ? 1 : null,
      },
      'send',
      pallet,
      call,
    );
    this.#route.replace(this.#seen);
  }

  /** The available mortality periods in blocks; null means immortal. */
  static readonly periods: readonly (number | null)[] = [null, ...periods];
}
