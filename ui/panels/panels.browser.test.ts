import { expect, it } from 'vitest';
import { commandsOf, type PanelSample, tabsOf } from '../kit/page/panel.ts';
import { panels } from './panels.ts';

const samples = import.meta.glob<readonly PanelSample[]>('./*/pages.fixture.ts', {
  eager: true,
  import: 'samples',
});

it('each panel has a key of its own, and its tests visit each of its pages', () => {
  expect(panels.map(({ key }) => key)).toEqual(panels.map((_, index) => String(index + 1)));
  expect(Object.keys(samples)).toHaveLength(panels.length);
  for (const { id, pages } of panels) {
    const places = (samples[`./${id}/pages.fixture.ts`] ?? []).map(([place]) => place);
    expect(places.length, id).toBeGreaterThan(0);
    for (const page of pages.slice(1))
      expect(
        places.some((place) => place.startsWith(`${id}/${page.id}`)),
        `${id}/${page.id}`,
      ).toBe(true);
  }
});

it('the first page of a panel has the address of the panel, and a page takes the query along', () => {
  const pages = [
    { id: 'one', label: 'One' },
    { id: 'two', label: 'Two', needs: 'two_get' },
  ];
  expect(tabsOf({ id: 'new', pages }, { at: '0x01' }).map(({ href }) => href)).toEqual([
    '#/new?at=0x01',
    '#/new/two?at=0x01',
  ]);
});

it('a command needs what its page needs', () => {
  const [panel] = panels;
  if (panel === undefined) throw new Error('no panels');
  const of = {
    ...panel,
    pages: [{ id: 'two', label: 'Two', needs: 'two_get' }],
    commands: [
      { label: 'See two', words: '', place: ['two'] },
      { label: 'See all', words: '' },
      { label: 'Set two', words: '', place: ['two'], needs: 'two_set' },
    ],
  };
  const labels = (...methods: string[]) =>
    commandsOf(of, (method) => method === undefined || methods.includes(method)).map(({ label }) => label);
  expect(labels()).toEqual(['See all']);
  expect(labels('two_get')).toEqual(['See two', 'See all']);
  expect(labels('two_get', 'two_set')).toHaveLength(3);
});
