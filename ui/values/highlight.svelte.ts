import type { Decoded } from '../../src/scale/types.ts';

/** A field or item of a value, and the path to it: `data.free`. */
export type Part = { readonly path: string; readonly value: Decoded };

/** The fields or items of a value, including those inside options and variants. */
const partsOf = (value: Decoded): readonly Part[] => {
  switch (value.kind) {
    case 'struct':
      return value.fields.map(({ label, value: of }) => ({ path: label, value: of }));
    case 'list':
      return value.items.map((of, index) => ({ path: String(index), value: of }));
    case 'some':
    case 'variant':
      return value.value === null ? [] : partsOf(value.value);
    default:
      return [];
  }
};

/** The innermost field or item that contains the byte at this offset; null if there is none. */
export const partAt = (value: Decoded, at: number): Part | null => {
  const outer = partsOf(value).find(({ value: { start, end } }) => at >= start && at < end);
  if (outer === undefined) return null;
  const inner = partAt(outer.value, at);
  return inner === null ? outer : { path: `${outer.path}.${inner.path}`, value: inner.value };
};

/**
 * The highlighted part of a value, in its tree and among its bytes: the part pointed at, or else the pinned
 * one.
 */
export class PartHighlight {
  #near = $state.raw<Decoded | null>(null);
  pinned = $state.raw<Decoded | null>(null);

  get part(): Decoded | null {
    return this.#near ?? this.pinned;
  }

  /** Sets the part under the pointer or the focus; null when it leaves. */
  point(part: Decoded | null): void {
    this.#near = part;
  }

  /** Keeps a part highlighted; pinning it again removes the highlight. */
  pin(part: Decoded | null): void {
    this.pinned = part === this.pinned ? null : part;
  }
}
