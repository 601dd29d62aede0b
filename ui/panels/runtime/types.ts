import type { RuntimeMeta } from '../../../src/scale/types.ts';

/**
 * Finds the id of a type by its id, its full path, its display name, or the last segment of its path if only
 * one type has it; null if there is none.
 */
export const findType = (meta: RuntimeMeta, text: string): number | null => {
  const wanted = text.trim();
  const { lookup } = meta.metadata;
  if (/^\d+$/.test(wanted)) return Number(wanted) < lookup.length ? Number(wanted) : null;
  const byPath = lookup.findIndex(({ path }) => path.length > 0 && path.join('::') === wanted);
  if (byPath >= 0) return byPath;
  const byName = lookup.findIndex((_, id) => meta.typeName(id) === wanted);
  if (byName >= 0) return byName;
  const short = lookup.flatMap(({ path }, id) => (path.at(-1) === wanted ? [id] : []));
  return short.length === 1 ? (short[0] ?? null) : null;
};

/** A part of a type: a field, a variant or an element. */
type TypePart = { readonly label: string; readonly type: number | null; readonly docs: string };

type Lookup = RuntimeMeta['metadata']['lookup'][number];

const fieldParts = (
  fields: readonly {
    readonly name?: string | undefined;
    readonly type: number;
    readonly docs: readonly string[];
  }[],
): readonly TypePart[] =>
  fields.map(({ name, type, docs }, index) => ({ label: name ?? String(index), type, docs: docs.join(' ') }));

/** The parts of a type; empty for primitives and bit sequences. */
export const typeParts = ({ def }: Lookup): readonly TypePart[] => {
  switch (def.tag) {
    case 'composite':
      return fieldParts(def.value);
    case 'variant':
      return def.value.flatMap(({ index, name, docs, fields }) => {
        const head = { label: `${String(index).padStart(2)} ${name}`, type: null, docs: docs.join(' ') };
        const [only] = fields;
        // One field without a name is in the line of its variant.
        if (only !== undefined && only.name === undefined && fields.length === 1)
          return { ...head, type: only.type };
        return [head, ...fieldParts(fields).map((field) => ({ ...field, label: `   ${field.label}` }))];
      });
    case 'sequence':
      return [{ label: 'each', type: def.value, docs: '' }];
    case 'array':
      return [{ label: `${def.value.len} times`, type: def.value.type, docs: '' }];
    case 'tuple':
      return def.value.map((type, index) => ({ label: String(index), type, docs: '' }));
    case 'compact':
      return [{ label: 'compact', type: def.value, docs: '' }];
    default:
      return [];
  }
};
