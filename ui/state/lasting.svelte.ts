/**
 * Makes state that outlives the component that asks for it first: what is derived belongs to the component it is made
 * in, and would stand still once that one is gone. `end` ends what it derives.
 */
export const createLasting = <T extends object>(
  create: () => T,
): { readonly state: T; readonly end: () => void } => {
  const made: T[] = [];
  const end = $effect.root(() => {
    made.push(create());
  });
  return { state: made[0] as T, end };
};
