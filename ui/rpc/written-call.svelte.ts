import { orderParams, parseParams, writeArgs } from '../state/call-text.ts';
import { faultText } from '../state/format.ts';
import type { FindMethod } from '../state/method-info.ts';
import { textFault } from './arg-text.ts';

type Reading = { readonly args: readonly unknown[] | null; readonly fault: string | null };

/** A call that is being written: its method, and its params as one text, which the form reads and writes too. */
export class WrittenCall {
  readonly find: FindMethod;
  method = $state('');
  params = $state('');

  constructor(find: FindMethod, method: string) {
    this.find = find;
    this.method = method;
  }

  /** What the table says of the method. */
  readonly info = $derived.by(() => this.find(this.method.trim()));
  #reading = $derived.by((): Reading => {
    try {
      const names = this.info?.params.map(({ name }) => name) ?? [];
      const params = parseParams(this.params);
      // A method that the table does not know may want its names as they are.
      const args = this.info === null && !Array.isArray(params) ? [params] : orderParams(params, names);
      return { args, fault: null };
    } catch (fault) {
      return { args: null, fault: faultText(fault) };
    }
  });
  /** Arguments in order; null while the text is not JSON. */
  readonly args = $derived(this.#reading.args);
  /** Why the text cannot be sent. */
  readonly paramsFault = $derived(this.#reading.fault);
  /** What the node would refuse. */
  readonly argFaults = $derived(this.args === null ? [] : (this.info?.check(this.args) ?? []));
  /** Whether a field of the form holds text that is no number or block, which only the JSON sends. */
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
