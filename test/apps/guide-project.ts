import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchOptions } from '../../scripts/chromium.mjs';
import { readBlocks } from '../../scripts/docs/blocks.fixture.ts';

/** What a reader does by hand, what does not end, and what this machine has done already. */
const leftOut =
  /^(cd tabnode|npm install|npm pack|cd [.][.]|npx tabnode .*|npm run dev|npx playwright install .*)$/;

/** Playwright's own settings, with the Chromium of this machine. */
const withChromium = async (): Promise<string> => `import given from './playwright.config.ts';
export default { ...given, use: { ...given.use, launchOptions: ${JSON.stringify(await launchOptions())} } };
`;

/**
 * Follows the dApp chapter of the guide word by word: the same commands in the same order, and the same files. Throws with what a
 * command printed if it fails.
 */
export const followDappChapter = async (
  work: string,
  tarball: string,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  // Where `npm pack` of the chapter leaves it.
  mkdirSync(join(work, 'tabnode'), { recursive: true });
  cpSync(tarball, join(work, 'tabnode', 'tabnode-0.1.0.tgz'));
  const project = join(work, 'wallet');
  let folder = work;
  for (const { language, name, code } of readBlocks('docs/dapp.md')) {
    if (name !== null) writeFileSync(join(project, name), code);
    if (name === 'playwright.config.ts')
      writeFileSync(join(project, 'with-chromium.config.ts'), await withChromium());
    if (language !== 'sh') continue;
    for (const line of code.trim().split('\n')) {
      const [, into] = /^cd (\w+)$/.exec(line) ?? [];
      if (leftOut.test(line)) continue;
      if (into !== undefined) folder = join(folder, into);
      else {
        const command = line === 'npm run e2e' ? `${line} -- -c with-chromium.config.ts` : line;
        execFileSync('sh', ['-c', command], { cwd: folder, env, stdio: 'pipe', encoding: 'utf8' });
      }
    }
  }
};
