import { createRawSnippet } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { page as browser } from 'vitest/browser';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import Rail from '../../app/shell/Rail.svelte';
import { devAccounts } from '../../node/accounts.ts';
import Account from '../../node/parts/Account.svelte';
import TabBar from '../../node/parts/TabBar.svelte';
import ChainHead from '../../panels/chain/ChainHead.svelte';
import Keystore from '../../panels/node/Keystore.svelte';
import CallHistory from '../../panels/rpc/history/CallHistory.svelte';
import RpcPanel from '../../panels/rpc/RpcPanel.svelte';
import {
  baselineOf,
  contrastOf,
  expectMarked,
  mountIn,
  openContext,
  paintFor,
  settle,
  widen,
} from '../../testing/open-page.ts';
import Hash from '../display/Hash.svelte';
import Meters from '../display/Meters.svelte';
import Alert from '../states/Alert.svelte';
import Dialog from '../states/Dialog.svelte';
import SegmentedControl from './SegmentedControl.svelte';

it('a hash with its mark and its copy button is level with the text next to it', async () => {
  const key = { keyType: 'babe', scheme: 'sr25519', publicKey: devAccounts[0]?.id };
  const { context } = openContext((method) => (method === 'dev_listKeys' ? [key] : []));
  const page = mountIn(context, Keystore, {});
  await settle();
  const cell = page.querySelector('td:last-child');
  expect(cell?.textContent).toContain('Alice');
  // As a title; the browser's own is heavier.
  expect(getComputedStyle(cell?.querySelector('b') as Element).fontWeight).toBe('600');
  expect(Math.abs(baselineOf(cell) - baselineOf(cell?.querySelector('.anywhere')))).toBeLessThan(0.5);
  // All three are in the middle of the line.
  const middles = ['.hash', 'svg', '.anywhere', 'button'].map((of) => {
    const { top = 0, bottom = 0 } = cell?.querySelector(of)?.getBoundingClientRect() ?? {};
    return (top + bottom) / 2;
  });
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(1.1);
});

it('the mark of an account is as far from its name as that of a hash from its digits', () => {
  const { context } = openContext(() => null);
  const id = devAccounts[0]?.id ?? '';
  const pages = [
    mountIn(context, Account, { address: '5GrwvaEF', id }),
    mountIn(context, Hash, { value: id, label: 'hash', glyph: true }),
  ];
  const gaps = pages.map((page) => {
    const words = page.querySelector('svg')?.nextElementSibling?.getBoundingClientRect();
    return (words?.left ?? 0) - (page.querySelector('svg')?.getBoundingClientRect().right ?? 0);
  });
  expect(gaps).toEqual([6, 6]);
});

it('a title, a section and its text are of three sizes', async () => {
  const { context } = openContext(() => []);
  const page = mountIn(context, Keystore, {});
  await settle();
  const sizeOf = (of: string) => Number.parseFloat(getComputedStyle(page.querySelector(of) ?? page).fontSize);
  expect(['h2', 'h3', 'p'].map(sizeOf)).toEqual([18, 15, 13]);
  const count = document.createElement('i');
  for (const title of page.querySelectorAll('h2, h3')) {
    title.append(count);
    expect(getComputedStyle(count).fontSize, 'a count after a title').toBe('13px');
  }
});

it('a very wide window has a page of text in its middle, and a result next to its call', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const text = mountIn(context, Keystore, {});
  const rpc = mountIn(context, RpcPanel, {});
  const boxOf = (of: HTMLElement, name: string) =>
    of.querySelector(name)?.getBoundingClientRect() ?? new DOMRect();
  const placesAt = (width: number) => {
    for (const page of [text, rpc]) widen(page, width);
    const [page, call, result] = [boxOf(text, '.reading'), boxOf(rpc, '.call'), boxOf(rpc, '.result')];
    return { margins: [page.left, width - page.right], beside: result.left >= call.right };
  };
  const at = document.body.getBoundingClientRect().left;
  const { margins, beside } = placesAt(2560);
  expect(Math.abs((margins[0] ?? 0) - (margins[1] ?? 0))).toBeLessThanOrEqual(2 * at + 2);
  expect(beside).toBe(true);
  expect(placesAt(1440)).toMatchObject({ margins: [at, 1440 - 900 - at], beside: false });
});

it('choices that do not fit side by side remain one box', () => {
  const choices = ['sudo set_code', 'sudo set_code (skip checks)', 'write :code directly'].map((label) => ({
    value: label,
    label,
  }));
  const page = mountIn(openContext(() => null).context, SegmentedControl as never, {
    label: 'Method',
    choices,
    value: '',
  });
  page.style.cssText = 'display: grid; width: 900px';
  const widthOf = () => page.querySelector('fieldset')?.offsetWidth ?? 0;
  expect(widthOf()).toBeLessThan(600);
  page.style.width = '320px';
  const box = page.querySelector('fieldset')?.getBoundingClientRect();
  const rows = [...Map.groupBy(page.querySelectorAll('button'), (one) => one.offsetTop).values()];
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) {
    const places = row.map((one) => one.getBoundingClientRect());
    expect(Math.abs((places.at(-1)?.right ?? 0) - (box?.right ?? 0))).toBeLessThanOrEqual(1);
    expect(Math.abs((places[0]?.left ?? 0) - (box?.left ?? 0))).toBeLessThanOrEqual(1);
  }
});

it('a sheet opens with the focus on the first field of its form, else on itself, and no ring on its close button', () => {
  const { context } = openContext(() => null);
  const focused = (content: string) => {
    const children = createRawSnippet(() => ({ render: () => content }));
    mountIn(context, Dialog, { title: 'Shortcuts', onclose: () => undefined, children });
    return document.activeElement as HTMLElement;
  };
  const own = focused('<p>One <a href="#/">link</a> and <input></p>');
  expect([own.localName, own.ariaLabel]).toEqual(['dialog', 'Shortcuts']);
  expect(getComputedStyle(own).outlineStyle).toBe('none');
  expect(focused('<form><button>Help</button> <input></form>').localName).toBe('input');
});

it('a list that takes the whole width has no line beside it', () => {
  const page = mountIn(openContext(() => new Promise(() => undefined)).context, RpcPanel, {});
  const lineAt = (width: number) => {
    widen(page, width);
    const list = page.querySelector('.list');
    return list && getComputedStyle(list).borderRightWidth;
  };
  expect([721, 390].map(lineAt)).toEqual(['1px', '0px']);
});

it('the copy button of a text to copy is inside its box', () => {
  const props = { title: 'No recording', raw: 'const one = 1;' };
  const page = mountIn(openContext(() => null).context, Alert, props);
  const [box, button] = ['pre', 'button'].map((of) => page.querySelector(of)?.getBoundingClientRect());
  if (box === undefined || button === undefined) throw new Error('no box');
  expect(button.right).toBeLessThanOrEqual(box.right);
  expect(button.top).toBeGreaterThanOrEqual(box.top);
  expect(button.bottom).toBeLessThanOrEqual(box.bottom + 1);
});

it('the history of calls has a heading like that of a value', () => {
  const calls = { log: { entries: [] }, shown: null };
  const page = mountIn(openContext(() => null).context, CallHistory, {
    calls,
    onrerun: () => undefined,
  } as never);
  const { fontSize, fontWeight, color } = getComputedStyle(page.querySelector('h3') ?? page);
  expect([fontSize, fontWeight, color]).toEqual(['15px', '600', getComputedStyle(page).color]);
});

it('columns of a table on a phone are not run together', async () => {
  const key = { keyType: 'babe', scheme: 'sr25519', publicKey: devAccounts[0]?.id };
  const { context } = openContext((method) => (method === 'dev_listKeys' ? [key] : []));
  const page = mountIn(context, Keystore, {});
  widen(page, 390);
  page.style.containerType = 'inline-size';
  await settle();
  const table = page.querySelector('table');
  expect(
    Number.parseFloat(getComputedStyle(page.querySelector('th') ?? page).paddingRight),
  ).toBeGreaterThanOrEqual(12);
  expect(table?.scrollWidth).toBeLessThanOrEqual(table?.parentElement?.clientWidth ?? 0);
});

it('an empty checkbox is a field with an edge in both themes, not gray as if it were disabled', async () => {
  const { documentElement: root } = document;
  onTestFinished(() => void root.style.removeProperty('color-scheme'));
  const { context } = openContext(() => null);
  const box = createRawSnippet(() => ({ render: () => '<label><input type="checkbox"></label>' }));
  const label = mountIn(context, Alert, { title: 'Choices', children: box }).querySelector('label');
  const input = label?.querySelector('input') as HTMLInputElement;
  // Its focus ring follows its corners, which a checked box of the browser's own would not have.
  const shape = () => {
    const { appearance, borderRadius, width, height } = getComputedStyle(input);
    return [appearance, borderRadius, width, height].join();
  };
  const empty = shape();
  input.checked = true;
  expect(shape()).toBe(empty);
  expect(empty).toMatch(/^none,2px/);
  input.checked = false;
  for (const theme of ['dark', 'light']) {
    root.style.colorScheme = theme;
    const image = new Image();
    const base64 = await browser.screenshot({ element: input, save: false });
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const brush = new OffscreenCanvas(image.width, image.height).getContext('2d');
    brush?.drawImage(image, 0, 0);
    const paintedAt = (x: number) =>
      brush
        ?.getImageData(x, Math.floor(image.height / 2), 1, 1)
        .data.slice(0, 3)
        .join(' ');
    const probe = document.createElement('i');
    document.body.append(probe);
    const colorOf = (edge: number) => `rgb(${paintedAt(edge)})`;
    probe.style.cssText = `color: ${colorOf(0)}; background: ${colorOf(image.width >> 1)}`;
    expect(contrastOf(probe), theme).toBeGreaterThanOrEqual(3);
    probe.style.cssText = `color: ${colorOf(image.width >> 1)}; background: var(--raised)`;
    expect(contrastOf(probe), theme).toBeLessThan(1.05);
    probe.remove();
  }
});

it('in a contrast theme, what is open or pressed is told from the rest, and a bar shows what it needs', async () => {
  await paintFor('contrast theme');
  const { context } = openContext(() => null);
  const list = ['one', 'two', 'three'].map((id) => ({ id, value: id, label: id, href: '#/node' }));
  const rows = [{ label: 'prevotes', value: 1, max: 3, needed: 2, name: 'prevotes' }];
  const text = createRawSnippet(() => ({ render: () => '<i></i>' }));
  const head = { chain: context.chain, page: 'epoch', onfind: () => undefined };
  const pages = [
    mountIn(context, Rail, { open: 'send', route: context.route }),
    mountIn(context, TabBar, { label: 'Views', tabs: list, open: 'two' }),
    mountIn(context, ChainHead, head),
    mountIn(context, SegmentedControl as never, { label: 'Finality', choices: list, value: 'two' }),
  ];
  for (const page of pages) expectMarked([...page.querySelectorAll('a, fieldset > button')]);
  const mark = mountIn(context, Meters as never, { rows, text }).querySelector('meter + span') as Element;
  const { borderLeftWidth, borderLeftColor } = getComputedStyle(mark);
  expect([borderLeftWidth, borderLeftColor]).toEqual(['2px', getComputedStyle(document.body).color]);
});
