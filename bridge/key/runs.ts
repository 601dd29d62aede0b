import { keyExport } from './export.ts';
import { keyInsert } from './insert.ts';
import { keyGenerate, keyInspect } from './inspect.ts';
import type { KeyCommand, KeyCommandName } from './key-command.ts';
import { keyGenerateNodeKey, keyInspectNodeKey } from './node-key.ts';
import { keySign, keyVerify } from './sign.ts';

/** What each `tabnode key` command does. */
export const keyRuns: Readonly<Record<KeyCommandName, KeyCommand>> = {
  export: keyExport,
  generate: keyGenerate,
  'generate-node-key': keyGenerateNodeKey,
  inspect: keyInspect,
  'inspect-node-key': keyInspectNodeKey,
  insert: keyInsert,
  sign: keySign,
  verify: keyVerify,
};
