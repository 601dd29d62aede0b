import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sections } from './rows.ts';

const file = new URL('../../../shared/reference/PSP-6.md', import.meta.url);
const isThere = existsSync(file);

/** The part of the document from one heading to the next of the same or a higher level. */
const partOf = (text: string, heading: string): string => {
  const start = text.indexOf(`\n${heading}`);
  if (start < 0) throw new Error(`PSP-6 has no part "${heading}"`);
  const depth = /^#+/.exec(heading)?.[0].length ?? 0;
  const rest = text.slice(start + heading.length + 1);
  const end = rest.search(new RegExp(`\\n#{1,${depth}} `));
  return end < 0 ? rest : rest.slice(0, end);
};

/** The cells of one column of the table with this header. */
const columnOf = (part: string, header: string, column = 0): string[] => {
  const lines = part.split('\n');
  const first = lines.findIndex((line) => line.startsWith(`| ${header} |`));
  const end = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  const rows = lines.slice(first + 2, end < 0 ? undefined : end);
  return rows.map((line) => line.split('|')[column + 1]?.trim() ?? '');
};

const bare = (cell: string): string => cell.replace(/\s*\(.*$/, '');

describe.skipIf(!isThere)('the list of rows agrees with PSP-6', () => {
  const text = isThere ? readFileSync(file, 'utf8') : '';
  const agree = (section: string, cells: readonly string[]): void =>
    expect([...cells].sort()).toEqual([...(sections[section] ?? [])].sort());

  it.each(['4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7', '4.8', '4.9', '4.10'])(
    'methods of %s',
    (section) => {
      agree(section, columnOf(partOf(text, `### ${section} `), 'Method').map(bare));
    },
  );

  it('unsafe methods', () => {
    const cells = columnOf(partOf(text, '## 4. Endpoints'), 'Method');
    const all = partOf(text, '## 4. Endpoints').match(/\| (\w+) \(UNSAFE\)/g) ?? [];
    expect(cells.length).toBeGreaterThan(0);
    agree(
      '4.12 unsafe',
      all.map((cell) => cell.slice(2).replace(' (UNSAFE)', '')),
    );
  });

  it('types, statuses, errors, events, transports', () => {
    agree('1', columnOf(partOf(text, '## 1. '), 'Transport'));
    agree('2.1', columnOf(partOf(text, '### 2.1 '), 'Type'));
    agree('3.1', columnOf(partOf(text, '### 3.1 '), 'Status'));
    agree('6', columnOf(partOf(text, '## 6. '), 'Subscribe method', 1));
    agree('7 ranges', columnOf(partOf(text, '## 7. '), 'Namespace'));
    agree('7 errors', columnOf(partOf(text, '## 7. '), 'Name', 1));
    expect(columnOf(partOf(text, '### 3.2 '), 'State').length).toBe(sections['3.2']?.length);
  });

  it('structures and their fields', () => {
    const part = partOf(text, '### 2.2 ');
    const named = [...part.matchAll(/^\*\*([\w ]+)\*\*/gm)].map(
      ([, name]) => name?.replaceAll(' ', '-') ?? '',
    );
    agree('2.2 structures', named);
    agree('2.2 header', columnOf(part, 'Field'));
    const specification = part.slice(part.indexOf('**Chain specification**'));
    agree('2.2 specification', columnOf(specification, 'Field'));
  });
});
