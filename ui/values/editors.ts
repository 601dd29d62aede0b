import type { Component } from 'svelte';
import type { Json, Meaning } from '../../src/scale/types.ts';
import AmountInput from './AmountInput.svelte';
import PartInput from './PartInput.svelte';

type EditorProps = {
  /** Accessible name of the field. */
  label: string;
  value: Json;
  /** Integer type of the value, such as `u128`. */
  type: string;
  /** Path of the value's type. */
  path: readonly string[];
  onchange: (value: Json) => void;
};

/** How numbers are typed that mean more than a number; others are typed as digits. */
export const editors: Partial<Readonly<Record<Meaning, Component<EditorProps>>>> = {
  amount: AmountInput,
  part: PartInput,
};
