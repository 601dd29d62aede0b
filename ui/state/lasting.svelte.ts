/**
 * Makes state that outlives the component that asks for it first: what is derived belongs to the component it is made
 * in, and would stand still once that one is gone.
 */
export const createLasting = <T extends object>(create: () => T): T => {
  const made: T[] = [];
  $effect.root(() => {
    made.push(create());
  });
  return made[0] as T;
};
