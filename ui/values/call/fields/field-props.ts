/** Props of every parameter field. */
export type FieldProps = {
  /** Accessible name of the field. */
  label: string;
  /** Undefined or null if not given. */
  value: unknown;
  /** Called with the new argument; undefined removes it. */
  onchange: (value: unknown) => void;
};
