import type {
  ChangedItem,
  Measured,
  RehearsalReport,
  RehearsedCost,
  RehearsedProof,
  RehearsedWeight,
} from './protocol/rehearsal.ts';

const whole = (amount: number | string): string => BigInt(amount).toLocaleString('en-US');
const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : whole(Math.round(ms))} ms`;
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
const count = (number: number, one: string): string => `${whole(number)} ${one}${number === 1 ? '' : 's'}`;

/** A part of a limit, such as `12.5 %`. */
export const shareText = (used: number, limit: number): string => `${((used / limit) * 100).toFixed(1)} %`;

const measured = (name: string, { used, limit, isOver }: Measured<string>): string =>
  limit === null
    ? `${name} ${whole(used)}`
    : `${name} ${whole(used)}, ${shareText(Number(used), Number(limit))} of ${whole(limit)}${isOver ? ' OVER THE LIMIT' : ''}`;

const weightText = (weight: RehearsedWeight | null): string =>
  weight === null
    ? 'weight: not reported by this runtime'
    : `weight: ${measured('ref_time', weight.refTime)}; ${measured('proof_size', weight.proofSize)}`;

const proofText = ({ nodes, plain, compact, zstd, limit, isOver }: RehearsedProof): string => {
  const sizes = [
    `${kilobytes(plain)} plain`,
    `${kilobytes(compact)} compact`,
    ...(zstd === null ? [] : [`${kilobytes(zstd)} zstd`]),
  ];
  const against =
    limit === null
      ? ''
      : `, ${shareText(zstd ?? compact, limit)} of ${kilobytes(limit)}${isOver ? ' OVER THE LIMIT' : ''}`;
  return `proof: ${count(nodes, 'node')}, ${sizes.join(', ')}${against}`;
};

const costText = ({ ms, keysRead }: Pick<RehearsedCost, 'ms' | 'keysRead'>): string =>
  `${milliseconds(ms)}, ${count(keysRead, 'key')} read`;

const changeText = ({ pallet, item, written, removed }: ChangedItem): string => {
  const parts = [
    ...(written === 0 ? [] : [`${whole(written)} written`]),
    ...(removed === 0 ? [] : [`${whole(removed)} removed`]),
  ];
  return `${[pallet, item ?? []].flat().join('.')}: ${parts.join(', ')}`;
};

const checksText = (checks: RehearsalReport['checks']): string[] => {
  if (checks === null) return ['checks: none, the runtime was built without try-runtime'];
  const { selected, failure, weight, logs } = checks;
  return [
    `checks (${selected}): ${failure === null ? 'passed' : 'FAILED'}; ${costText(checks)}`,
    ...(weight === null ? [] : [`  ${weightText(weight)}`]),
    ...logs.map((log) => `  ${log}`),
  ];
};

const migrationText = (migration: RehearsalReport['migration']): string[] =>
  migration === null
    ? ['on_runtime_upgrade: FAILED']
    : [
        `on_runtime_upgrade: ${costText(migration)}`,
        `  ${weightText(migration.weight)}`,
        `  ${proofText(migration.proof)}`,
        ...(migration.changes.length === 0
          ? ['  changes nothing']
          : migration.changes.map((one) => `  ${changeText(one)}`)),
      ];

const outcomes = { completed: 'completed', failed: 'FAILED', unfinished: 'NOT FINISHED' } as const;

const multiBlockText = (multiBlock: RehearsalReport['multiBlock']): string[] =>
  multiBlock === null
    ? []
    : [
        `multi-block migrations (${multiBlock.pallet}): ${outcomes[multiBlock.outcome]} after ${count(multiBlock.blocks, 'block')}`,
      ];

/** Of many blocks, these are printed at the beginning and at the end. */
const mostShown = 5;

const blocksText = (blocks: RehearsalReport['blocks']): string[] => {
  const lines = (blocks ?? []).flatMap((block) => [
    `block #${block.number}: ${costText(block)}; ${proofText(block.proof)}`,
    `  ${weightText(block.weight)}`,
  ]);
  const ends = 2 * mostShown;
  const omitted = lines.length / 2 - ends;
  return omitted <= 1
    ? lines
    : [...lines.slice(0, ends), `… ${whole(omitted)} more blocks …`, ...lines.slice(-ends)];
};

/** The report of a rehearsal as text. */
export const rehearsalText = (report: RehearsalReport): string => {
  const { block, specName, specVersion, problems, notes, requests, bytes } = report;
  return [
    `${specName} ${specVersion.before} to ${specVersion.after} on block #${block.number} (${block.hash})`,
    ...checksText(report.checks),
    ...migrationText(report.migration),
    ...multiBlockText(report.multiBlock),
    ...blocksText(report.blocks),
    `read: ${count(requests, 'request')}, ${kilobytes(bytes)}`,
    ...notes.map((note) => `Note: ${note}`),
    ...(problems.length === 0
      ? ['No problems were found.']
      : problems.map((problem) => `PROBLEM: ${problem}`)),
  ].join('\n');
};
