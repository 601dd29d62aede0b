/**
 * The prefixes of the public SS58 registry, ascending, as numbers and ranges. `ss58-registry.test.ts` compares
 * them with the package of the registry.
 */
export const registeredPrefixes =
  '0-58 63 65-69 71-73 77-78 81 88-90 92-93 98-101 105 110 113 117 126 128-129 131 136-137 172 252 ' +
  '255 268 420 440 666 777 789 995 1110 1221-1222 1284-1285 1328 1337 1516 1985 2007 2009 2021 2024 ' +
  '2032 2092 2106 2112 2199 2206-2207 2254 3333 4450 5234 5845 6094 7007 7013 7306 7391 8866 8883 ' +
  '8886 8888 9072 9807 9935 10041 11330-11331 11486 11820 12155 12191 12850 13116 14697 14998';

/** Whether a network or a kind of key has registered the prefix (the crate ss58-registry, `is_custom`). */
export const isRegistered = (prefix: number): boolean =>
  registeredPrefixes.split(' ').some((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return prefix >= from && prefix <= to;
  });
