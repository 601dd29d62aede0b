import { faultText } from './format.ts';

/** What came of a try: a value, or none and why. */
export type Attempt<T> = { readonly value: T | null; readonly fault: string | null };

/** Makes a value by code that throws for what it cannot read or write. */
export const attempt = <T>(make: () => T): Attempt<T> => {
  try {
    return { value: make(), fault: null };
  } catch (fault) {
    return { value: null, fault: faultText(fault) };
  }
};
