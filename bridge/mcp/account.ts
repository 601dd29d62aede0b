import { readFile, stat } from 'node:fs/promises';
import { checkFileSize } from '../../src/accounts/account-file.ts';
import { openAccountFile } from '../../src/accounts/open-account.ts';
import { accountIdOf, signMessage } from '../../src/accounts/pair.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { toHex } from '../../src/scale/hex.ts';
import type { AgentAccount } from '../../ui/agents/tools/tool.ts';
import { bad } from '../cli/arguments.ts';

const readText = async (what: string, path: string): Promise<string> => {
  try {
    checkFileSize((await stat(path)).size);
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof NodeError) throw cause;
    throw bad(`${what} ${path} cannot be read`, cause);
  }
};

/** Opens the JSON account that agents may sign with. Throws `BadConfig`, `BadAccountFile` and `WrongPassword`. */
export const openAgentAccounts = async ({
  file,
  passwordFile,
}: {
  readonly file: string;
  readonly passwordFile: string;
}): Promise<readonly AgentAccount[]> => {
  const text = await readText('The account', file);
  const password = (await readText('The password', passwordFile)).replace(/\r?\n$/, '');
  const { opened, locked } = await openAccountFile(text, password);
  if (locked.length > 0) throw bad(`${file} has accounts with another password: use a file of each`);
  return opened.map(({ file: { name }, pair }) => {
    if (pair.type === 'ethereum')
      throw bad(`${file} is an Ethereum account, which the tools cannot sign with`);
    const scheme = `${pair.type.charAt(0).toUpperCase()}${pair.type.slice(1)}`;
    const id = toHex(accountIdOf(pair));
    return { name: name ?? id, id, sign: (payload) => ({ [scheme]: toHex(signMessage(pair, payload)) }) };
  });
};
