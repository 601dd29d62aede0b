import { flushSync, mount, unmount } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import '../tokens.css';
import '../base.css';
import type { TabNode } from '../../src/index.ts';
import Launcher from './Launcher.svelte';

const open = () => {
  const target = document.createElement('div');
  document.body.append(target);
  const node = { connect: () => new Promise(() => undefined) } as unknown as TabNode;
  const app = mount(Launcher, { target, props: { node, corner: 'bottom-left', initialIsOpen: true } });
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
  onTestFinished(() => localStorage.removeItem('tabnode.devtools.height'));
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
  // A pointer of a test is not one of the browser.
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
});
