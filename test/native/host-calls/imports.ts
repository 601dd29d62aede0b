import type { HostFunction } from '../../../worker/executor/host/context.ts';
import { encodeLeb } from '../../../worker/executor/leb.ts';
import { wasmSection, wasmText, wasmVector } from '../../../worker/executor/tiny-module.fixture.ts';

const wasmTypes: Readonly<Record<string, number>> = { i: 0x7f, I: 0x7e };
const codes = (letters: string): number[] => [
  ...encodeLeb(letters.length),
  ...[...letters].map((letter) => wasmTypes[letter] as number),
];

/** The types of a module, each listed once. */
export const createTypes = () => {
  const known = new Map<string, number>();
  return {
    index: (params: string, results: string): number => {
      const key = `${params}:${results}`;
      const index = known.get(key) ?? known.size;
      known.set(key, index);
      return index;
    },
    section: (): number[] =>
      wasmSection(1, wasmVector([...known.keys()].map((key) => [0x60, ...key.split(':').flatMap(codes)]))),
  };
};
export type Types = ReturnType<typeof createTypes>;

/** An import of a host function, with the type that its row declares. */
export const importFunction = ({ name, params, results }: HostFunction, types: Types): number[] => [
  ...wasmText('env'),
  ...wasmText(name),
  ...[0, ...encodeLeb(types.index(params, results))],
];

export const importMemory = (pages: number): number[] => [
  ...wasmText('env'),
  ...wasmText('memory'),
  ...[2, 0, ...encodeLeb(pages)],
];
