/** Ends a hold after `ms`, now if that is 0. The last call counts. */
export type EndHold = (ms: number) => void;

/** Holds that last until a time, and how long the longest of them still does. */
export const createHolds = (now: () => number) => {
  const holds = new Set<{ until: number }>();
  return {
    hold: (): EndHold => {
      const hold = { until: Number.POSITIVE_INFINITY };
      holds.add(hold);
      return (ms) => {
        hold.until = now() + ms;
        if (ms === 0) holds.delete(hold);
        else holds.add(hold);
      };
    },
    heldMs: (): number => {
      let longest = 0;
      for (const hold of holds) {
        const left = hold.until - now();
        if (left <= 0) holds.delete(hold);
        longest = Math.max(longest, left);
      }
      return longest;
    },
  };
};
