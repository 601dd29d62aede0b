import type { Fields, LookupEntry } from './types.ts';

/** Whether a type is one byte: a list of these is written as 0x text. */
export const isByte = (entry: LookupEntry): boolean => entry.type === 'primitive' && entry.value === 'u8';

/** The fields of a variant as one value; null where there are none. */
export const fieldsEntry = (fields: Fields): LookupEntry | null => {
  if (fields.type === 'void') return null;
  return fields.type === 'lookupEntry' ? fields.value : ({ id: -1, ...fields } as LookupEntry);
};

/** Docs as the metadata has them, line by line, as one text. */
export const docsText = (lines: readonly string[] = []): string => lines.join('\n').trim();
