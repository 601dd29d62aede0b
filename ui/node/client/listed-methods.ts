/** No node has more methods, or longer names; each is laid out in a list. */
const [mostMethods, longestName] = [5000, 200];

/** The names in the result of `rpc_methods`, in alphabetical order. Throws a sentence if it lists none. */
export const readListedMethods = (answer: unknown): readonly string[] => {
  const { methods } = (answer ?? {}) as { readonly methods?: unknown };
  if (!Array.isArray(methods)) throw new TypeError('The node’s response to rpc_methods is no list.');
  return methods
    .filter((name): name is string => typeof name === 'string' && name.length <= longestName)
    .slice(0, mostMethods)
    .sort();
};
