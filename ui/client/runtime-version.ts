import { isListOf, isNumber, isShape, isText } from '../page/guards.ts';

/** A runtime API: the blake2b-64 hash of its name as 0x text, and its version (sp_version). */
export type RuntimeApi = readonly [id: string, version: number];

const isApi = (value: unknown): value is RuntimeApi =>
  Array.isArray(value) && isText(value[0]) && isNumber(value[1]);
const isApis = isListOf(isApi);

/** The APIs of a runtime version; null if what the node sent has no list of them. */
export const readApis = (version: object): readonly RuntimeApi[] | null => {
  const apis: unknown = Reflect.get(version, 'apis');
  return isApis(apis) ? apis : null;
};

/** Whether what a node sent names a runtime; of other members old nodes have fewer. */
export const isRuntimeVersion = isShape<{ readonly specName: string; readonly specVersion: number }>({
  specName: isText,
  specVersion: isNumber,
});
