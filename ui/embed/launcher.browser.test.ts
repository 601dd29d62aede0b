import { flushSync, mount, unmount } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import '../tokens.css';
import '../base.css';
import type { TabNode } from '../../src/index.ts';
import Launcher from './Launcher.svelte';

/** Sizes the window until the test ends. */
const resize = async (width: number, height: number) => {
  const before = [innerWidth, innerHeight] as const;
  onTestFinished(() => page.viewport(...before));
  await page.viewport(width, height);
};

const open = (initialIsOpen = true) => {
  const target = document.createElement('div');
  document.body.append(target);
  const node = { connect: () => new Promise(() => undefined) } as unknown as TabNode;
  const app = mount(Launcher, { target, props: { node, corner: 'bottom-left', initialIsOpen } });
  onTestFinished(async () => {
    await unmount(app);
    target.remove();
  });
  flushSync();
  const [dock, grip] = ['section', '[role="separator"]'].map((one) => target.querySelector<HTMLElement>(one));
  if (!dock || !grip) throw new Error('no dock');
  return { target, dock, grip };
};

it('the embedded panel is resized by its upper edge and the keys, remembers its height, and is closed', async () => {
  onTestFinished(() => localStorage.clear());
  const first = open();
  const height = () => Math.round(first.dock.getBoundingClientRect().height);
  expect(height()).toBe(Math.round(innerHeight * 0.64));
  const press = (key: string) => {
    first.grip.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    flushSync();
    return height();
  };
  expect(press('End')).toBe(160);
  expect(press('ArrowUp')).toBe(184);
  expect(first.grip.getAttribute('aria-valuenow')).toBe('184');
  expect(press('Home')).toBe(innerHeight - 48);
  // A pointer event created by a test has no real pointer to capture.
  first.grip.setPointerCapture = () => undefined;
  for (const [type, clientY] of [
    ['pointerdown', 100],
    ['pointermove', 160],
    ['pointerup', 160],
  ] as const)
    first.grip.dispatchEvent(new PointerEvent(type, { bubbles: true, clientY }));
  flushSync();
  const kept = innerHeight - 48 - 60;
  expect(height()).toBe(kept);
  expect(Math.round(open().dock.getBoundingClientRect().height)).toBe(kept);
  [...first.dock.querySelectorAll('button')].find(({ title }) => title === 'Close devtools')?.click();
  await expect.poll(() => first.target.querySelector('section')).toBeNull();
  expect(document.activeElement?.textContent?.trim()).toBe('Tabnode');
  // As the user left it, whatever the host page says.
  expect(() => open()).toThrow('no dock');
  (document.activeElement as HTMLElement).click();
  await expect.poll(() => document.activeElement?.ariaLabel).toBe('Tabnode devtools');
  expect(open(false).dock.isConnected).toBe(true);
});

it('the embedded panel docks to the right, where its width is resized, and stays there', async () => {
  onTestFinished(() => localStorage.clear());
  await resize(1024, 768);
  const { target, dock, grip } = open();
  [...target.querySelectorAll('button')]
    .find(({ textContent }) => textContent.trim() === 'Dock to the right')
    ?.click();
  flushSync();
  const { top, right, height, width } = dock.getBoundingClientRect();
  expect([top, right, height]).toEqual([0, innerWidth, innerHeight]);
  expect(grip.getAttribute('aria-orientation')).toBe('vertical');
  grip.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
  flushSync();
  expect(dock.getBoundingClientRect().width).toBeLessThanOrEqual(width);
  const least = dock.getBoundingClientRect().width;
  expect(open().dock.getBoundingClientRect()).toMatchObject({ width: least, height: innerHeight });
});

it('on a phone, where nothing has room at the right, the embedded panel stays at the bottom', async () => {
  onTestFinished(() => localStorage.clear());
  localStorage.setItem('tabnode.devtools.side', 'right');
  await resize(390, 844);
  const { dock } = open();
  expect(dock.getBoundingClientRect()).toMatchObject({ left: 0, width: 390, bottom: 844 });
  expect(dock.textContent).not.toContain('Dock to the');
  await page.viewport(1024, 768);
  await expect.poll(() => dock.textContent).toContain('Dock to the bottom');
});
