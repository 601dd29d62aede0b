import type { Fields, LookupEntry } from './types.ts';

/** Whether a type is `u8`: a list of these is written as a 0x string. */
export const isByte = (entry: LookupEntry): boolean => entry.type === 'primitive' && entry.value === 'u8';

/** The fields of a variant as one composite value; null if there are none. */
export const fieldsEntry = (fields: Fields): LookupEntry | null => {
  if (fields.type === 'void') return null;
  return fields.type === 'lookupEntry' ? fields.value : ({ id: -1, ...fields } as LookupEntry);
};

/** Joins the lines of metadata docs. */
export const docsText = (lines: readonly string[] = []): string => lines.join('\n').trim();
