import { docsText } from '../../../src/scale/entries.ts';
import { storageEntries } from '../../../src/scale/storage.ts';
import type { LookupEntry, PalletMeta, RuntimeMeta } from '../../../src/scale/types.ts';

/** One field of a call, an event or an error. */
type FieldDoc = { readonly name: string; readonly type: number | null; readonly text: string };

/** An item of a pallet, such as a call, an event or an error. */
export type ItemDoc = {
  readonly name: string;
  readonly docs: string;
  readonly fields: readonly FieldDoc[];
  /** Index of the variant; null if the item is not a variant. */
  readonly index: number | null;
};

/** Sections of a pallet, in the order they are shown. */
export const sections = ['calls', 'constants', 'storage', 'events', 'errors', 'views'] as const;
type Section = (typeof sections)[number];

const describeEntry = (meta: RuntimeMeta, name: string, entry: LookupEntry): FieldDoc =>
  entry.id >= 0
    ? { name, type: entry.id, text: meta.typeName(entry.id) }
    : { name, type: null, text: entry.type };

const describeFields = (meta: RuntimeMeta, inner: LookupEntry | null): readonly FieldDoc[] => {
  if (inner === null) return [];
  if (inner.id >= 0 || (inner.type !== 'struct' && inner.type !== 'tuple'))
    return [describeEntry(meta, '', inner)];
  const isNamed = inner.type === 'struct';
  return Object.entries(inner.value).map(([name, entry]) => describeEntry(meta, isNamed ? name : '', entry));
};

const describeEnum = (meta: RuntimeMeta, of: { readonly type: number } | undefined): readonly ItemDoc[] => {
  const entry = of === undefined ? null : meta.lookup(of.type);
  if (entry?.type !== 'enum') return [];
  return Object.entries(entry.value)
    .map(([name, { idx, docs, inner }]) => ({
      name,
      docs: docsText(docs),
      fields: describeFields(meta, inner),
      index: idx,
    }))
    .sort((a, b) => a.index - b.index);
};

const describeStorage = (meta: RuntimeMeta, pallet: string): readonly ItemDoc[] =>
  storageEntries(meta, pallet).map((entry) => {
    const value = meta.typeName(entry.value);
    const keys = entry.keys.map((key) => key.name).join(', ');
    const text = keys === '' ? value : `(${keys}) → ${value}`;
    return { name: entry.name, docs: entry.docs, fields: [{ name: '', type: null, text }], index: null };
  });

type ViewFunction = PalletMeta['viewFns'][number];

const describeView = (meta: RuntimeMeta, view: ViewFunction): ItemDoc => ({
  name: view.name,
  docs: docsText(view.docs),
  fields: [
    ...view.inputs.map(({ name, type }) => ({ name, type, text: meta.typeName(type) })),
    { name: '→', type: view.output, text: meta.typeName(view.output) },
  ],
  index: null,
});

/** Everything that the metadata contains about a pallet. */
export const describePallet = (meta: RuntimeMeta, pallet: PalletMeta) => ({
  name: pallet.name,
  index: pallet.index,
  docs: 'docs' in pallet ? docsText(pallet.docs) : '',
  calls: describeEnum(meta, pallet.calls),
  constants: pallet.constants.map(({ name, type, value, docs }) => ({
    name,
    type,
    /** SCALE, as 0x text. */
    value: String(value),
    docs: docsText(docs),
  })),
  storage: describeStorage(meta, pallet.name),
  events: describeEnum(meta, pallet.events),
  errors: describeEnum(meta, pallet.errors),
  views: pallet.viewFns.map((view) => describeView(meta, view)),
});

export type PalletDoc = ReturnType<typeof describePallet>;

/** Type id of the enum of all events; null if the metadata has none. */
export const eventType = (meta: RuntimeMeta): number | null => {
  if ('outerEnums' in meta.metadata) return meta.metadata.outerEnums.event;
  const at = meta.metadata.lookup.findIndex(
    ({ path }) => path.at(-1) === 'RuntimeEvent' || path.at(-1) === 'Event',
  );
  return at < 0 ? null : at;
};

/** A named part of the runtime, as found by a search. */
export type Found = {
  readonly kind: string;
  readonly name: string;
  readonly docs: string;
  /** Path segments of its address after the panel's. */
  readonly parts: readonly string[];
};

const one: Readonly<Record<Section, string>> = {
  calls: 'call',
  constants: 'constant',
  storage: 'storage',
  events: 'event',
  errors: 'error',
  views: 'view function',
};

/** All named parts of the runtime, in the order of the metadata. */
export const listAll = (meta: RuntimeMeta): readonly Found[] => {
  const pallets = meta.metadata.pallets.flatMap((pallet) => {
    const doc = describePallet(meta, pallet);
    return [
      { kind: 'pallet', name: doc.name, docs: doc.docs, parts: ['pallets', doc.name] },
      ...sections.flatMap((section) =>
        doc[section].map(({ name, docs }) => ({
          kind: one[section],
          name: `${doc.name}.${name}`,
          docs,
          parts: ['pallets', doc.name, section, name],
        })),
      ),
    ];
  });
  const apis = meta.metadata.apis.flatMap((api) =>
    api.methods.map((method) => ({
      kind: 'runtime API',
      name: `${api.name}_${method.name}`,
      docs: docsText(method.docs),
      parts: ['apis', api.name, method.name],
    })),
  );
  const types = meta.metadata.lookup.flatMap(({ path, docs }, id) =>
    path.length === 0
      ? []
      : [{ kind: 'type', name: path.join('::'), docs: docsText(docs), parts: ['types', String(id)] }],
  );
  return [...pallets, ...apis, ...types];
};

/** The parts that contain all the words: matches in names first, then in docs. */
export const searchAll = (all: readonly Found[], words: string): readonly Found[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const has = (text: string): boolean => wanted.every((word) => text.includes(word));
  const byName = all.filter(({ name, kind }) => has(`${name} ${kind}`.toLowerCase()));
  const named = new Set(byName);
  const byDocs = all.filter((found) => !named.has(found) && has(`${found.name} ${found.docs}`.toLowerCase()));
  return [...byName, ...byDocs];
};
