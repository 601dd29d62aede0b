/** What is wrong with a JSON text: its syntax, or one argument of its list. */
export type JsonMark = {
  /** Place of the argument; null for the syntax. */
  readonly index: number | null;
  readonly text: string;
  readonly tone: 'bad' | 'warn';
};
