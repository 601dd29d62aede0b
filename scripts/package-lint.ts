import { checkPackage, type Package, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';

/** The package is modules only: `require`, and resolution from before `exports`, need not work. */
const isOfModules = (problem: Problem): boolean =>
  !('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind));

/** What attw (profile `esm-only`) finds wrong with the types of a package, one line each; empty if nothing. */
export const lintTypes = async (packed: Package): Promise<readonly string[]> => {
  const result = await checkPackage(packed);
  if (result.types === false) return ['no types'];
  return result.problems.filter(isOfModules).map((problem) => JSON.stringify(problem));
};

/** What publint finds wrong with a packed package, suggestions included; empty if nothing. */
export const lintPackage = async (tarball: Uint8Array<ArrayBuffer>): Promise<readonly string[]> => {
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  return messages.map((message) => JSON.stringify(message));
};
