/** Steps from a JSON value to a part of it: names and indices. */
export type JsonPath = readonly (string | number)[];

/** An error in a JSON text. */
export type JsonMark = {
  /** The value that is wrong; null for an error in the syntax. */
  readonly path: JsonPath | null;
  readonly text: string;
  readonly tone: 'bad' | 'warn';
};

/** The path at the beginning of a message, as in `calls[3].dest: there is no such field`; empty without one. */
export const readPath = (message: string): JsonPath => {
  const path = /^([\w$]+|\[\d+\])(\.[\w$]+|\[\d+\])*(?=: )/.exec(message)?.[0] ?? '';
  return [...path.matchAll(/\[(\d+)\]|[\w$]+/g)].map(([name, index]) =>
    index === undefined ? name : Number(index),
  );
};
