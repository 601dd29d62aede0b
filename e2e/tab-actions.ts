import { expect, type Page } from '@playwright/test';
import { dropFile } from './support.ts';

// What one of several tabs of a chain does. Everything up to the last click happens first (`arm`), so that the last clicks of
// two tabs can come in any order and at almost the same time.

type Tabnode = {
  readonly connection: { request(name: string, params: readonly unknown[]): Promise<unknown> };
};
type TabnodeWindow = { readonly tabnode: Tabnode };

/** Calls the node through what the page offers to its console. */
export const ask = <T>(page: Page, method: string, ...params: readonly unknown[]): Promise<T> =>
  page.evaluate(
    ([name, given]) =>
      (window as unknown as TabnodeWindow).tabnode.connection.request(
        name as string,
        given as readonly unknown[],
      ),
    [method, params] as const,
  ) as Promise<T>;

/** Does it after so many milliseconds; resolves to whether it was still possible. */
export type Fire = (afterMs: number) => Promise<boolean>;

/**
 * Clicks the button that `arm` has brought up, if nothing that another tab did has taken it away: a page is mounted anew when the
 * tab with its node is reloaded.
 */
const clickLast = async (page: Page, selector: string, text: string): Promise<Fire> => {
  await page.locator(selector, { hasText: text }).first().waitFor({ state: 'attached' });
  return (afterMs) =>
    page.evaluate(
      async ([where, label, ms]) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        const button = [...document.querySelectorAll<HTMLButtonElement>(where)].find(
          ({ textContent }) => textContent.trim() === label,
        );
        button?.click();
        return button !== undefined;
      },
      [selector, text, afterMs] as const,
    );
};

/** A call of a client in that tab; the node may refuse it, or may end first. */
const call =
  (page: Page, method: string, ...params: readonly unknown[]): Fire =>
  (afterMs) =>
    page.evaluate(
      async ([name, given, ms]) => {
        const { connection } = (window as unknown as TabnodeWindow).tabnode;
        await new Promise((resolve) => setTimeout(resolve, ms));
        await connection.request(name, given).catch(() => undefined);
        return true;
      },
      [method, params, afterMs] as const,
    );

/** Clicks without waiting until nothing moves any more, which takes seconds while three pages share a processor. */
const press = (page: Page, selector: string): Promise<void> => page.locator(selector).dispatchEvent('click');

/** Brings up what the list of chains offers for the open one. */
const askInList = async (page: Page, button: string): Promise<void> => {
  await press(page, 'header h1 button');
  await press(page, `[aria-label="Chains"] li:has([aria-current]) .acts button:text-is("${button}")`);
};

export type TabAction = {
  readonly name: string;
  /** Whether the chain is gone once it was done. */
  readonly deletes?: true;
  readonly arm: (page: Page, dice: () => number) => Promise<Fire>;
};

const remove: TabAction = {
  name: 'delete',
  deletes: true,
  arm: async (page) => {
    await askInList(page, 'Delete');
    return clickLast(page, 'li dialog button', 'Delete for good');
  },
};

const rename: TabAction = {
  name: 'rename',
  arm: async (page, dice) => {
    await askInList(page, 'Rename');
    await page.getByLabel('New name').fill(`Name ${Math.floor(dice() * 1e6)}`);
    return clickLast(page, 'li form button', 'Rename');
  },
};

/** A chain of a file takes the place of the one that the tab shows. */
const replace: TabAction = {
  name: 'import a chain',
  arm: async (page) => {
    const lines = await ask<string>(page, 'dev_exportChain', 'json', 1, 3);
    const head = {
      tabnodeChain: 1,
      name: 'Imported',
      origin: { kind: 'preset', preset: 'development' },
      modes: { seal: { kind: 'manual' }, finality: null, clock: 'chain' },
    };
    await dropFile(page, 'chain.jsonl', Buffer.from(`${JSON.stringify(head)}\n${lines}`));
    await expect(page.getByRole('button', { name: 'Create and start' })).toBeEnabled();
    return clickLast(page, 'dialog button', 'Create and start');
  },
};

/** Blocks that the chain has, or had before its head was moved. */
const proceed: TabAction = {
  name: 'import blocks',
  arm: async (page) => {
    const lines = await ask<string>(page, 'dev_exportChain', 'json', 1, 4);
    await dropFile(page, 'blocks.jsonl', Buffer.from(lines));
    const button = page.getByRole('button', { name: /^Import into / });
    await expect(button).toBeEnabled();
    return clickLast(page, 'dialog button', (await button.innerText()).trim());
  },
};

const rollBack: TabAction = {
  name: 'roll back',
  arm: async (page) => {
    const { number } = await ask<{ number: string }>(page, 'chain_getHeader');
    return call(page, 'dev_setHead', await ask(page, 'chain_getBlockHash', Number(number) - 2));
  },
};

const switchBranch: TabAction = {
  name: 'switch branch',
  arm: async (page) => {
    const { number } = await ask<{ number: string }>(page, 'chain_getHeader');
    const parent = await ask(page, 'chain_getBlockHash', Number(number) - 1);
    const fork = await ask<string>(page, 'dev_newBlock', { parent });
    return call(page, 'dev_setHead', fork);
  },
};

const seal: TabAction = {
  name: 'seal',
  arm: async (page) => call(page, 'dev_newBlock', { count: 2 }),
};

const reload: TabAction = {
  name: 'reload',
  arm: async (page) => async (afterMs) => {
    const reloaded = page.waitForEvent('load');
    await page.evaluate((ms) => {
      setTimeout(() => location.reload(), ms);
    }, afterMs);
    await reloaded;
    return true;
  },
};

/** Deletion is drawn more often. */
export const tabActions: readonly TabAction[] = [
  remove,
  remove,
  remove,
  rename,
  rename,
  replace,
  proceed,
  rollBack,
  switchBranch,
  seal,
  reload,
];

/** What a tab shows, and what is. */
export type Shown = {
  readonly kind: 'chain' | 'welcome' | 'other';
  /** The chain's id in the address of a tab that shows one. */
  readonly id: string | null;
  readonly name: string;
  /** The chain's name in the stored list; null if it is not there. */
  readonly listed: string | null;
  /** Hash of the best block that the page shows, and of the one that the node has. */
  readonly best: string;
  readonly node: string | null;
  /** The whole page, for a failure. */
  readonly text: string;
};

export const readTab = (page: Page): Promise<Shown> =>
  page.evaluate(async () => {
    const text = document.body.innerText;
    const id = /^#\/@([^/]+)/.exec(location.hash)?.[1] ?? null;
    const list: readonly { readonly id: string; readonly name: string }[] = JSON.parse(
      localStorage.getItem('tabnode.chains') ?? '[{"id":"development","name":"Development"}]',
    );
    const shown = document.querySelector<HTMLElement>('header [aria-label^="Best block"]');
    const request = (): Promise<unknown> =>
      (window as unknown as TabnodeWindow).tabnode.connection.request('chain_getBlockHash', []);
    const late = new Promise<null>((resolve) => setTimeout(resolve, 500, null));
    const node = shown && (await Promise.race([request(), late]).catch(() => null));
    return {
      kind: shown !== null ? 'chain' : /Nothing to install/.test(text) ? 'welcome' : 'other',
      id,
      name: document.querySelector('header h1 .ellipsis')?.textContent ?? '',
      listed: list.find((one) => one.id === id)?.name ?? null,
      best: shown?.title ?? '',
      node: node === null ? null : String(node),
      text,
    } as const;
  });
