import type { Json, LookupEntry, Meaning, RuntimeMeta } from '../../src/scale/types.ts';

/** Of a field for a value of some type. */
export type ValueProps = {
  readonly meta: RuntimeMeta;
  /** Type of the value. */
  readonly entry: LookupEntry;
  /** Accessible name of the field. */
  readonly label: string;
  readonly value: Json;
  readonly onchange: (value: Json) => void;
  /** What the value means, which may decide how it is typed; that of its type unless given. */
  readonly meaning?: Meaning | null | undefined;
};
