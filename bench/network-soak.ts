import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasNativeNode, unpackNativeNode } from '../test/native/native-rig.ts';
import { soakAuthorities } from './network/authorities.ts';
import { soakInterval } from './network/interval.ts';
import { openTabs } from './network/tab.ts';

const help = `Usage: npm run soak:network -- [--blocks N] [--minutes M]

Runs networks of nodes on this machine for a long time, and prints a line every 30 seconds.

  --blocks N    three authorities, a native Alice, a headless Bob and Charlie in a Chromium tab, seal in their slots of six
                seconds until N blocks are final (default 300, which takes half an hour; 0: not at all)
  --minutes M   a headless node seals 1,200 blocks at once and then one every two seconds for M minutes, another votes with it,
                and a third, a tab and a native node follow (default 30; 0: not at all)
  --help        this text

Ends with code 1 if memory or the time until a block arrives has grown, if finality stops or a node stays behind, if somebody
seals or votes twice, or if the native node charges a peer 1,024 or more at once or rates it below -1,000. The first part needs
../shared/native-node, and is skipped without it; the second runs without a native node then.
`;

const readCount = (text: string, name: string): number => {
  const count = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && Number.isFinite(count)) return count;
  console.error(`--${name} needs a number, not "${text}"`);
  process.exit(2);
};

const readArguments = () => {
  const options = {
    blocks: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '30' },
    help: { type: 'boolean' },
  } as const;
  try {
    const { values } = parseArgs({ options, strict: true });
    const [blocks, minutes] = [readCount(values.blocks, 'blocks'), readCount(values.minutes, 'minutes')];
    return { blocks, minutes, wantsHelp: values.help === true };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
};

const soak = async (blocks: number, minutes: number): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'tabnode-soak-'));
  /** Each part has files of the same names. */
  const within = async (name: string): Promise<string> => {
    await mkdir(join(folder, name));
    return join(folder, name);
  };
  const native = hasNativeNode ? await unpackNativeNode() : null;
  const tabs = await openTabs();
  try {
    const faults: string[] = [];
    if (blocks > 0 && native === null) console.log('Authorities: skipped, there is no native node');
    else if (blocks > 0 && native !== null)
      faults.push(...(await soakAuthorities({ native, tabs, folder: await within('authorities') }, blocks)));
    if (minutes > 0)
      faults.push(...(await soakInterval({ native, tabs, folder: await within('interval') }, minutes)));
    return faults;
  } finally {
    await tabs.close();
    native?.close();
    await rm(folder, { recursive: true });
  }
};

const { blocks, minutes, wantsHelp } = readArguments();
if (wantsHelp) console.log(help);
else {
  const faults = await soak(blocks, minutes);
  for (const fault of faults) console.error(fault);
  console.log(
    faults.length === 0
      ? 'Nothing has grown beyond its allowance, and nobody was charged'
      : `${faults.length} faults`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}
process.exit();
