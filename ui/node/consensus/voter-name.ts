import { readAccount } from '../../../src/scale/address.ts';
import { shortHex } from '../../kit/text/format.ts';
import { accountName } from '../accounts.ts';

/** Ed25519 keys of the development accounts (sp_keyring::Ed25519Keyring), by which they vote in GRANDPA. */
const devVoters: Readonly<Record<string, string>> = {
  '0x88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee': 'Alice',
  '0xd17c2d7823ebf260fd138f2d7e27d114c0145d968b5ff5006125f2414fadae69': 'Bob',
  '0x439660b36c6c03afafca027b910b4fecf99801834c62a5e6006f27d978de234f': 'Charlie',
  '0x5e639b43e0052c47447dac87d6fd2b6ec50bdd4d0f614e4299c665249bbd09d9': 'Dave',
  '0x1dfe3e22cc0d45c70779c1095f7489a8ef3cf52d62fbd8c2fa38c9f1723502b5': 'Eve',
  '0x568cb4a574c6d178feb39c27dfc8b3f789e5f5423e19c71633c748b9acf086b5': 'Ferdie',
};

/** The name of a voter's key; null if it has none. */
export const voterName = (id: string): string | null => devVoters[id] ?? accountName(id);

/** The name, or a short form, of a voter given as an address or a key. */
export const voterText = (who: string): string => {
  const id = readAccount(who) ?? who;
  return voterName(id) ?? shortHex(id);
};
