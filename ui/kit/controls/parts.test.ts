import { createRawSnippet } from 'svelte';
import type { HTMLAttributes } from 'svelte/elements';
import { render } from 'svelte/server';
import { expect, it, vi } from 'vitest';
import Clock from '../display/Clock.svelte';
import Hash from '../display/Hash.svelte';
import Loading from '../states/Loading.svelte';
import { localText, momentText } from '../text/format.ts';
import Combobox from './Combobox.svelte';

vi.hoisted(() => {
  process.env['TZ'] = 'Asia/Kathmandu';
});

const hash = `0x${'ab'.repeat(32)}`;

it('announces a wait without its seconds', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(5500).mockReturnValueOnce(0);
  const { body } = render(Loading, { props: { what: 'Reading' } });
  now.mockRestore();
  const status = /role="status">(.*?)</.exec(body)?.[1];
  expect(status).toBe('Reading');
  expect(body).toMatch(/aria-hidden="true">· 5 s</);
});

it('shows a time of day as UTC wherever the user is, and the date in its title', () => {
  const ms = Date.UTC(2026, 0, 2, 3, 4, 5);
  expect(new Date(ms).getHours()).not.toBe(3);
  const { body } = render(Clock, { props: { ms } });
  expect(body).toMatch(/>03:04:05<\/time>/);
  expect(body).toContain(`title="${momentText(ms)}\n${localText(ms)}"`);
  expect(momentText(ms)).toBe('2026-01-02 03:04:05 UTC');
  // The hour by the clock of this computer.
  expect(localText(ms)).toContain(` ${String(new Date(ms).getHours()).padStart(2, '0')}:`);
  expect(render(Clock, { props: { ms, exact: true, zone: true } }).body).toContain(
    '>03:04:05.000 UTC</time>',
  );
  expect(render(Clock, { props: { ms, full: true } }).body).toContain('>2026-01-02 03:04:05 UTC</time>');
  expect(render(Clock, { props: { ms: 1e17 } }).body).toContain('>–<');
});

it('does not announce a wait that another element announces', () => {
  const { body } = render(Loading, { props: { what: 'Reading', silent: true } });
  expect(body).toContain('Reading');
  expect(body).not.toContain('role="status"');
});

it('offers the whole text of a short hash to the keyboard, but not of long bytes', () => {
  const fullOf = (value: string, full = false) =>
    /data-full="([^"]*)"/.exec(render(Hash, { props: { value, label: 'hash', full } }).body)?.[1];
  expect(fullOf(hash)).toBe(hash);
  expect(fullOf(hash, true)).toBeUndefined();
  expect(fullOf(`0x${'ab'.repeat(4096)}`)).toBeUndefined();
});

it('names the list and the active option of a combobox, and groups options by heading', () => {
  const { body } = render(Combobox<string>, {
    props: {
      label: 'Results',
      groups: [
        ['One', ['a', 'b']],
        ['Two', ['c']],
      ],
      keyOf: (option: string) => option,
      query: '',
      onpick: () => undefined,
      control: createRawSnippet((attributes: () => HTMLAttributes<HTMLElement>) => ({
        render: () => {
          const { role, 'aria-controls': list, 'aria-activedescendant': active } = attributes();
          return `<button role="${role}" aria-controls="${list}" aria-activedescendant="${active}"></button>`;
        },
      })),
      option: createRawSnippet((text: () => string) => ({ render: () => `<span>${text()}</span>` })),
    },
  });
  const [, list, active] =
    /role="combobox" aria-controls="(\S+)" aria-activedescendant="(\S+)"/.exec(body) ?? [];
  expect(body).toMatch(new RegExp(`id="${list}"[^>]*role="listbox"[^>]*aria-label="Results"`));
  expect(body.match(/role="group" aria-label="\w+"/g)).toEqual([
    'role="group" aria-label="One"',
    'role="group" aria-label="Two"',
  ]);
  expect(body.match(/role="option"/g)).toHaveLength(3);
  expect(body).toMatch(new RegExp(`id="${active}"[^>]*aria-selected="true"`));
  expect(body.match(/aria-selected="true"/g)).toHaveLength(1);
});
