import type { Fields, LookupEntry } from './types.ts';

/** Whether a type is `u8`: a list of these is written as a 0x string. */
export const isByte = (entry: LookupEntry): boolean => entry.type === 'primitive' && entry.value === 'u8';

/** Number of bytes of a value that is written as a 0x string: null for any, undefined for other values. */
export const byteCountOf = (entry: LookupEntry): number | null | undefined => {
  if (entry.type === 'AccountId20') return 20;
  if ((entry.type !== 'array' && entry.type !== 'sequence') || !isByte(entry.value)) return undefined;
  return entry.type === 'array' ? entry.len : null;
};

/** Type of a whole number, such as `u32`; null for other values. */
export const integerType = (entry: LookupEntry): string | null => {
  if (entry.type === 'compact') return entry.size;
  return entry.type === 'primitive' && /^[iu]\d/.test(entry.value) ? entry.value : null;
};

/** The fields of a variant as one composite value; null if there are none. */
export const fieldsEntry = (fields: Fields): LookupEntry | null => {
  if (fields.type === 'void') return null;
  return fields.type === 'lookupEntry' ? fields.value : ({ id: -1, ...fields } as LookupEntry);
};

/** Joins the lines of metadata docs. */
export const docsText = (lines: readonly string[] = []): string => lines.join('\n').trim();
