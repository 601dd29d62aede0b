/** What each field of a parameter takes. */
export type FieldProps = {
  /** Names the field, for screen readers. */
  label: string;
  /** Undefined or null where it is not given. */
  value: unknown;
  /** Tells the argument as it is now; undefined takes it away. */
  onchange: (value: unknown) => void;
};
