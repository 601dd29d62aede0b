import { orderParams, parseParams, writeArgs } from '../../kit/text/call-text.ts';
import { faultText } from '../../kit/text/format.ts';
import { checkNumbers } from '../../kit/text/json-text.ts';
import type { FindMethod, MethodInfo } from '../../node/client/method-info.ts';
import { textFault } from './arg-text.ts';

type Reading = { readonly args: readonly unknown[] | null; readonly fault: string | null };

/** Parses the params of a method; `info` is null if it is not in the table. */
export const readArgs = (info: MethodInfo | null, text: string): Reading => {
  try {
    const params = parseParams(text);
    checkNumbers(text);
    // A method that is not in the table may take named params: pass the object unchanged.
    if (info === null && !Array.isArray(params)) return { args: [params], fault: null };
    return { args: orderParams(params, info?.params.map(({ name }) => name) ?? []), fault: null };
  } catch (fault) {
    return { args: null, fault: faultText(fault) };
  }
};

/** The text of a call: method, and params as JSON. */
export type CallText = { method: string; params: string };

/** A call being written: its method, and its params as one text that the form reads and writes too. */
export class WrittenCall {
  readonly find: FindMethod;
  #text: CallText;

  constructor(find: FindMethod, text: CallText) {
    this.find = find;
    this.#text = text;
  }

  get method(): string {
    return this.#text.method;
  }

  set method(next: string) {
    this.#text.method = next;
  }

  get params(): string {
    return this.#text.params;
  }

  set params(next: string) {
    this.#text.params = next;
  }

  /** The method's entry in the table; null if it has none. */
  readonly info = $derived.by(() => this.find(this.method.trim()));
  #reading = $derived.by(() => readArgs(this.info, this.params));
  /** Arguments in order; null if the text is not valid JSON or names an unknown parameter. */
  readonly args = $derived(this.#reading.args);
  /** Why the text cannot be sent; null if it can. */
  readonly paramsFault = $derived(this.#reading.fault);
  /** The arguments that the node would refuse, with the reasons. */
  readonly argFaults = $derived(this.args === null ? [] : (this.info?.check(this.args) ?? []));
  /**
   * Whether a field for a number or a block has other text: the form refuses it, the JSON editor sends it.
   */
  readonly hasWrongText = $derived(
    this.info?.params.some((param, index) => textFault(param, this.args?.[index]) !== null) ?? false,
  );

  setArg(index: number, value: unknown): void {
    const args = [...(this.args ?? [])];
    while (args.length < index) args.push(undefined);
    args[index] = value;
    this.params = writeArgs(args.map((arg, at) => (arg === null && at !== index ? undefined : arg)));
  }
}
