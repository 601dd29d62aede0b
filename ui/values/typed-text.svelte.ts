import type { Json } from '../../src/scale/types.ts';

/** The text of a field for an integer that can also be typed in another form, with a unit or a percent sign. */
export class TypedText {
  /** Such a text and the integer that it stands for. */
  #typed = $state.raw<{ readonly text: string; readonly value: string } | null>(null);
  #value: () => Json;

  constructor(value: () => Json) {
    this.#value = value;
  }

  /** What was typed, until the value changes from outside. */
  get text(): string {
    const value = this.#value();
    if (this.#typed !== null && this.#typed.value === value) return this.#typed.text;
    return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : '';
  }

  /** Keeps a typed text. Returns the field's new value; `amount` is null for a text that stands for itself. */
  write(text: string, amount: bigint | null): string {
    this.#typed = amount === null ? null : { text, value: String(amount) };
    return this.#typed?.value ?? text;
  }
}
