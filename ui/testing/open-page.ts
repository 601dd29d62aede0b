import type { CDPSession } from '@vitest/browser-playwright';
import { type Component, flushSync, mount, unmount } from 'svelte';
import { expect, onTestFinished } from 'vitest';
import { cdp } from 'vitest/browser';
import type { Connection, StartInfo, TabNode } from '../../src/index.ts';
import { createOwnAddress, currentFrame, setFrame } from '../kit/page/frame.ts';
import { toUiNode } from '../node/client/tab-node.ts';
import type { UiNode } from '../node/client/ui-node.ts';
import { SharedStatus } from '../node/node-status.svelte.ts';
import { createPageContext, type PageContext, providePageContext } from '../node/page-context.ts';

type Answers = (method: string, params: readonly unknown[]) => unknown;
type Hear = (item: unknown) => void;

const info = {
  chainName: 'Fake',
  genesisHash: `0x${'00'.repeat(32)}`,
  bestHash: `0x${'0c'.repeat(32)}`,
  bestNumber: 12,
  finalizedNumber: 10,
};

/** A fake node; see `openContext`. */
export const openNode = (answer: Answers) => {
  const asked: (readonly [method: string, ...params: readonly unknown[]])[] = [];
  const subscribers = new Map<string, Hear>();
  const ended: string[] = [];
  const closers: (() => void)[] = [];
  const connection = {
    request: async (method: string, params: readonly unknown[]) => {
      asked.push([method, ...params]);
      return answer(method, params);
    },
    subscribe: async (method: string, _params: readonly unknown[], onItem: Hear) => {
      subscribers.set(method, onItem);
      return method;
    },
    unsubscribe: async (method: string) => ended.push(method) > 0,
    isOpen: () => true,
    onClose: (tell: () => void) => {
      closers.push(tell);
      return () => undefined;
    },
  } as unknown as Connection;
  const status = () => Promise.reject(new Error('no status'));
  const bare = { info, status } as unknown as TabNode;
  const node = toUiNode(bare, connection, { isFresh: true, isElsewhere: false, end: async () => undefined });
  const lose = () => {
    for (const tell of closers) tell();
  };
  return { node, asked, subscribers, ended, lose };
};

/**
 * A context over a fake node. `answer` supplies the responses; `subscribers` maps each subscription method to
 * its listener; `ended` records unsubscriptions; `lose` ends the connection.
 */
export const openContext = (answer: Answers) => {
  const { node, ...rest } = openNode(answer);
  setFrame({ ...currentFrame(), address: createOwnAddress() });
  const context = createPageContext(node, null);
  onTestFinished(() => {
    context.close();
    setFrame(null);
  });
  return { context, ...rest };
};

/** The context with a node that has this status, and this info. */
export const withStatus = (
  context: PageContext,
  status: UiNode['status'],
  { base, ...info }: Partial<StartInfo> = {},
): PageContext => {
  const node = context.node.with({
    status,
    base: () => base ?? null,
    info: { ...context.node.info, ...info },
  });
  return {
    ...context,
    node,
    status: new SharedStatus(node, (now) => 'finality' in now && context.sealing.applyStatus(now)),
  };
};

/** Mounts a component in the context's context; `props` may be changed afterwards. `close` removes it before the test ends. */
export const mountClosable = <P extends Record<string, unknown>>(
  context: PageContext,
  of: Component<P>,
  props: P,
): { readonly page: HTMLElement; close(): Promise<void> } => {
  const page = document.createElement('div');
  document.body.append(page);
  const around = (...args: Parameters<Component<P>>) => {
    providePageContext(() => context);
    return of(...args);
  };
  const app = mount(around as Component<P>, { target: page, props });
  let isMounted = true;
  const close = async (): Promise<void> => {
    if (isMounted) await unmount(app);
    isMounted = false;
    page.remove();
  };
  onTestFinished(close);
  flushSync();
  return { page, close };
};

export const mountIn = <P extends Record<string, unknown>>(
  context: PageContext,
  of: Component<P>,
  props: P,
): HTMLElement => mountClosable(context, of, props).page;

/** Waits until pending responses have arrived and are rendered. */
export const settle = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve));
  flushSync();
};

/** Clicks the button with this text. */
export const press = (target: HTMLElement, name: string | RegExp): void => {
  const found = [...target.querySelectorAll('button')].find(({ textContent }) =>
    typeof name === 'string' ? textContent.trim() === name : name.test(textContent),
  );
  if (found === undefined) throw new Error(`no button ${name} in ${target.textContent}`);
  found.click();
  flushSync();
};

/** Replaces the text of a field, as typing or pasting would. */
export const typeIn = (field: Element | null | undefined, text: string): void => {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement))
    throw new Error('no field');
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
};

/** Shows a mounted page with the width of a window, so that rules for narrow and wide pages apply. */
export const widen = (page: HTMLElement, width: number): void => {
  page.className = 'tabnode-devtools';
  page.style.width = `${width}px`;
};

/**
 * Checks where a form is painted in windows of three widths: each field is below its label, or, from `besideFrom`
 * pixels on, beside it and in one column with the others; it is wide enough to read, and within the page.
 */
export const expectColumns = (
  page: HTMLElement,
  pairs: readonly (readonly [label: Element, field: Element])[],
  besideFrom: number,
): void => {
  for (const width of [1440, 1024, 390]) {
    widen(page, width);
    const starts = pairs.map(([label, field]) => {
      const [named, shown] = [label.getBoundingClientRect(), field.getBoundingClientRect()];
      const name = `${label.textContent} at ${width} px`;
      const isBelow = shown.top >= named.bottom;
      if (width >= besideFrom) expect(isBelow, name).toBe(false);
      expect(shown.left, name).toBeGreaterThanOrEqual(isBelow ? named.left : named.right);
      expect(shown.bottom, name).toBeGreaterThan(named.top);
      expect(shown.width, name).toBeGreaterThan(100);
      expect(shown.right, name).toBeLessThanOrEqual(page.getBoundingClientRect().right);
      return shown.left;
    });
    if (width >= besideFrom) expect(new Set(starts).size, `columns at ${width} px`).toBe(1);
  }
};

/** Where the baseline of an element's last line is on the page, in pixels. */
export const baselineOf = (of: Element | null | undefined): number => {
  const mark = document.createElement('span');
  mark.style.display = 'inline-block';
  of?.append(mark);
  const { bottom } = mark.getBoundingClientRect();
  mark.remove();
  return bottom;
};

/**
 * Contrast (WCAG 2.2) between an element's text and what is painted under it, taking the opacity of a faded
 * group into account.
 */
export const contrastOf = (of: Element): number => {
  const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (brush === null) throw new Error('no canvas');
  const paint = (color: string): number => {
    brush.fillStyle = color;
    brush.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = [...brush.getImageData(0, 0, 1, 1).data].map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const around: Element[] = [];
  for (let at: Element | null = of; at !== null; at = at.parentElement) around.unshift(at);
  let paper = paint('white');
  for (const style of around.map((one) => getComputedStyle(one))) {
    brush.globalAlpha *= Number(style.opacity);
    paper = paint(style.backgroundColor);
  }
  const ink = paint(getComputedStyle(of).color);
  return Math.max(ink, paper) / Math.min(ink, paper);
};

/** Paints the page on paper, or in a contrast theme, until the test ends. */
export const paintFor = async (what: 'print' | 'contrast theme'): Promise<void> => {
  const paint = (media: string, value: string): Promise<unknown> =>
    (cdp() as CDPSession).send('Emulation.setEmulatedMedia', {
      media,
      features: [{ name: 'forced-colors', value }],
    });
  onTestFinished(async () => void (await paint('', 'none')));
  await (what === 'print' ? paint('print', 'none') : paint('', 'active'));
};

/** Checks that the current or pressed one of these elements can be read, and alone looks different. */
export const expectMarked = (all: readonly Element[]): void => {
  const lookOf = (of: Element): string => {
    const { backgroundColor, color } = getComputedStyle(of);
    return `${color} on ${backgroundColor}`;
  };
  const marked = all.filter((one) => one.matches('[aria-current], [aria-pressed="true"]'));
  const rest = all.filter((one) => !marked.includes(one));
  expect([marked.length, rest.length > 0]).toEqual([1, true]);
  for (const one of marked) {
    expect(new Set(rest.map(lookOf))).not.toContain(lookOf(one));
    for (const part of [one, ...one.querySelectorAll(':not(svg, svg *)')]) {
      expect(contrastOf(part)).toBeGreaterThanOrEqual(4.5);
      // Otherwise a plate is painted below its text, in a color that is computed for no element.
      expect(getComputedStyle(part).getPropertyValue('forced-color-adjust')).toBe('none');
    }
  }
};
