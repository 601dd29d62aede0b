import { upgradeLog } from '../../../../src/scale/digest.ts';
import { decodeEvents, eventsKey, outcomeOf } from '../../../../src/scale/events.ts';
import { decodeExtrinsic, signerOf } from '../../../../src/scale/extrinsic.ts';
import { callName } from '../../../../src/scale/names.ts';
import type { RuntimeMeta } from '../../../../src/scale/types.ts';
import { readShape } from '../../../kit/text/extrinsic.ts';
import { groupDigits, shortHex } from '../../../kit/text/format.ts';
import { accountName } from '../../../node/accounts.ts';
import type { BlockItem } from '../../../node/chain-view.svelte.ts';
import { feeOf } from '../../../node/load-outcome.ts';
import type { PageContext } from '../../../node/page-context.ts';
import { readTransfer, summaryText, type WriteAmount } from '../../../node/storage/summary.ts';

/** The contents of a block as text. */
export type BlockSummary = {
  readonly bold: string;
  readonly text: string;
  /** The second line. */
  readonly more: string;
  readonly isBad: boolean;
};

/** The events of a block with more transactions are not read for its row. */
const mostRead = 20;
const mostNamed = 2;

type Asked = Pick<PageContext, 'node' | 'metadata'>;

/** A transaction or an upgrade: `Alice → Bob`, `5 UNIT`, and further details. */
type Phrase = { readonly bold: string; readonly text: string; readonly more: string };

const phraseOf = (meta: RuntimeMeta, hex: string, amount: WriteAmount): Phrase => {
  const extrinsic = decodeExtrinsic(meta, hex);
  const id = signerOf(extrinsic);
  const who = id === null ? '' : (accountName(id) ?? shortHex(id));
  const { call } = extrinsic;
  const name = callName(call) ?? 'a call';
  const args = call.kind === 'variant' && call.value?.kind === 'variant' ? call.value.value : null;
  const sent = readTransfer(name, args);
  if (sent !== null) return { bold: `${who} → ${sent.to}`, text: amount(sent.amount), more: name };
  return {
    bold: name,
    text: args === null ? '' : summaryText(args, amount),
    more: who === '' ? 'unsigned' : `by ${who}`,
  };
};

const readUpgrade = async ({ node }: Asked, { hash, header }: BlockItem): Promise<Phrase> => {
  const versionAt = (at: string) => node.request('state_getRuntimeVersion', [at]);
  const [before, after] = await Promise.all([versionAt(header.parentHash), versionAt(hash)]);
  const name = before.specName === after.specName ? after.specName : `${before.specName} → ${after.specName}`;
  return {
    bold: 'Runtime upgrade',
    text: `${name} ${before.specVersion} → ${after.specVersion}`,
    more: '',
  };
};

/**
 * Reads the contents of a block. If its transactions cannot be read or decoded, only their number is
 * returned. Rejects if the versions before and after an upgrade cannot be read.
 */
export const readBlock = async (
  context: Asked,
  block: BlockItem,
  amount: WriteAmount,
): Promise<BlockSummary> => {
  if (block.number === 0) return { bold: 'Genesis', text: '', more: '', isBad: false };
  const sent = block.extrinsics.flatMap((hex, index) =>
    readShape(hex).kind === 'inherent' ? [] : [{ hex, index }],
  );
  const upgrade = block.header.digest.logs.includes(upgradeLog) ? await readUpgrade(context, block) : null;
  const count = `${groupDigits(sent.length)} ${sent.length === 1 ? 'transaction' : 'transactions'}`;
  if (sent.length === 0) return { bold: '', text: 'Empty', more: '', isBad: false, ...upgrade };
  try {
    return await readSent(context, block, sent, { upgrade, count, amount });
  } catch {
    // Without readable metadata or events, only the number of transactions is known.
    return { bold: count, text: '', more: '', isBad: false, ...upgrade };
  }
};

type Found = { readonly upgrade: Phrase | null; readonly count: string; readonly amount: WriteAmount };

const readSent = async (
  { node, metadata }: Asked,
  { hash, header }: BlockItem,
  sent: readonly { readonly hex: string; readonly index: number }[],
  { upgrade, count, amount }: Found,
): Promise<BlockSummary> => {
  const meta = await metadata.of(hash, header);
  const phrases = sent.slice(0, mostNamed).map(({ hex }) => phraseOf(meta, hex, amount));
  const stored = sent.length > mostRead ? null : await node.request('state_getStorage', [eventsKey, hash]);
  const events = decodeEvents(meta, stored);
  const faults = sent.flatMap(({ index }) => {
    const outcome = outcomeOf(meta, events, index);
    return outcome.kind === 'failed' ? [outcome.text] : [];
  });
  const isBad = faults.length > 0;
  const [first] = phrases;
  if (upgrade !== null) return { ...upgrade, more: first?.bold ?? '', isBad };
  if (first !== undefined && sent.length === 1) {
    const fee = feeOf(events.filter(({ extrinsic }) => extrinsic === sent[0]?.index));
    const end = isBad ? `failed: ${faults[0]}` : fee === null ? '' : `fee ${amount(fee)}`;
    return { ...first, more: [first.more, end].filter(Boolean).join(' · '), isBad };
  }
  return {
    bold: count,
    text: isBad ? `${faults.length} failed: ${faults[0]}` : '',
    more: phrases.map(({ bold, text }) => `${bold} ${text}`).join(' · '),
    isBad,
  };
};
