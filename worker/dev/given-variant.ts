import {
  findByName,
  isHexText,
  isMissing,
  isObject,
  listNames,
  type Place,
  refuseValue,
  showValue,
  tryAddress,
} from './given.ts';
import type { Coding, TypeDef, Variant } from './types.ts';

export type VariantDef = Extract<TypeDef, { kind: 'variant' }>;

/** Interprets an account address as a `MultiAddress`; its length determines the variant. */
export const addressVariant = (
  coding: Pick<Coding, 'crypto'>,
  { name }: VariantDef,
  value: unknown,
): string | null => {
  if (name !== 'MultiAddress' || typeof value !== 'string') return null;
  if (!isHexText(value)) return tryAddress(coding, value) === null ? null : 'Id';
  return value.length === 66 ? 'Id' : value.length === 42 ? 'Address20' : null;
};

/** `"Name"`, `{Name: content}`, `{type: "Name", value: content}` or the index, as clients write variants. */
export const readVariant = (
  coding: Pick<Coding, 'crypto'>,
  def: VariantDef,
  value: unknown,
  place: Place,
): readonly [Variant, unknown] => {
  const known = (name: string): Variant =>
    findByName(def.variants, name) ??
    refuseValue(place, `${def.name} has no variant ${showValue(name)}; there are ${listNames(def.variants)}`);
  const byAddress = addressVariant(coding, def, value);
  if (byAddress !== null) return [known(byAddress), value];
  if (isMissing(value)) {
    const [first] = def.variants.toSorted((a, b) => a.index - b.index);
    return first === undefined ? refuseValue(place, `${def.name} has no values`) : [first, undefined];
  }
  if (typeof value === 'string') return [known(value), undefined];
  const byNumber = def.variants.find(({ index }) => index === value);
  if (byNumber !== undefined) return [byNumber, undefined];
  const members = isObject(value) ? Object.entries(value) : [];
  const { type, value: content } = isObject(value) ? value : {};
  if (typeof type === 'string' && findByName(def.variants, 'type') === undefined)
    return [known(type), content];
  const [name, inner] = members[0] ?? [];
  if (members.length === 1 && name !== undefined) return [known(name), inner];
  return refuseValue(
    place,
    `${showValue(value)} is no ${def.name}: write "Name" or {"Name": …}; there are ${listNames(def.variants)}`,
  );
};
