import type { KeyType, Pair } from '../accounts/pair.ts';
import { NodeError } from '../protocol/errors.ts';
import { fromHex, toHex } from '../scale/hex.ts';
import { loadFile } from './load-file.ts';

/**
 * An account for tests: the name of a development account, such as `alice`; a secret URI, such as `//Carol`, with the type of its key;
 * or the JSON account of polkadot-js, as a path from where the tests are run, or a URL.
 */
export type AccountSource =
  | string
  | { readonly uri: string; readonly type?: KeyType }
  | { readonly file: string | URL; readonly password: string };

/** An account that signs in a test, without a wallet and without questions. */
export type TestAccount = {
  readonly name: string;
  readonly type: KeyType;
  /** SS58 with prefix 42, or that of Ethereum. */
  readonly address: string;
  readonly publicKey: Uint8Array;
  /** The signature of a message, without a byte for its scheme, as `getPolkadotSigner` of polkadot-api takes it. */
  sign(message: Uint8Array): Uint8Array;
  /** For polkadot-js: `tx.signAndSend(account.address, { signer: account.signer })`. */
  readonly signer: {
    signRaw(raw: {
      readonly data: string;
    }): Promise<{ readonly id: number; readonly signature: `0x${string}` }>;
  };
};

const developmentNames = ['Alice', 'Bob', 'Charlie', 'Dave', 'Eve', 'Ferdie'];

const bad = (message: string, cause?: unknown): NodeError =>
  new NodeError('BadConfig', `accounts: ${message}`, cause === undefined ? {} : { cause });

/** Of a MultiSignature; the signatures of Ethereum have none. */
const schemeBytes = { ed25519: '00', sr25519: '01', ecdsa: '02', ethereum: '' } as const;

/** The library for keys is loaded when the first account is opened. */
const loadLibrary = async () => {
  const [
    { accountIdOf, signMessage },
    { pairOfUri },
    { openAccountFile },
    { encodeAddress },
    { ethereumEncode },
  ] = await Promise.all([
    import('../accounts/pair.ts'),
    import('../accounts/uri-pair.ts'),
    import('../accounts/open-account.ts'),
    import('@polkadot/util-crypto/address'),
    import('@polkadot/util-crypto/ethereum'),
  ]);
  return { accountIdOf, signMessage, pairOfUri, openAccountFile, encodeAddress, ethereumEncode };
};

type Library = Awaited<ReturnType<typeof loadLibrary>>;
type Named = { readonly name: string; readonly pair: Pair };

const openFile = async (
  { openAccountFile }: Library,
  { file, password }: { readonly file: string | URL; readonly password: string },
): Promise<readonly Named[]> => {
  const bytes = await loadFile(file).catch((cause: unknown) => {
    throw bad(`${String(file)} cannot be read. Write it with: tabnode key export --file FILE`, cause);
  });
  const { opened, locked } = await openAccountFile(new TextDecoder().decode(bytes), password);
  if (locked.length > 0) throw bad(`${String(file)} has accounts with another password: use a file of each`);
  return opened.map(({ file: { name }, pair }) => ({ name: name ?? 'account', pair }));
};

const openOne = async (library: Library, source: AccountSource): Promise<readonly Named[]> => {
  if (typeof source === 'object' && 'file' in source) return openFile(library, source);
  const { uri, type = 'sr25519' } = typeof source === 'string' ? { uri: source } : source;
  const dev = developmentNames.find((name) => name.toLowerCase() === uri.toLowerCase());
  if (dev !== undefined) return [{ name: dev, pair: await library.pairOfUri(`//${dev}`, type) }];
  if (!/[/ ]|^0x/.test(uri))
    throw bad(
      `expected ${developmentNames.join(', ')}, a secret URI such as //Carol, or { file, password } of a JSON account`,
    );
  return [{ name: 'account', pair: await library.pairOfUri(uri, type) }];
};

const toAccount = (library: Library, { name, pair }: Named): TestAccount => {
  const { accountIdOf, signMessage, encodeAddress, ethereumEncode } = library;
  const { type, publicKey } = pair;
  let last = 0;
  return {
    name,
    type,
    publicKey,
    address: type === 'ethereum' ? ethereumEncode(publicKey) : encodeAddress(accountIdOf(pair), 42),
    sign: (message) => signMessage(pair, message),
    signer: {
      signRaw: async ({ data }) => {
        last += 1;
        const signature = toHex(signMessage(pair, fromHex(data))).slice(2);
        return { id: last, signature: `0x${schemeBytes[type]}${signature}` };
      },
    },
  };
};

/**
 * Opens accounts for tests, in the order they are given; a file may hold several. Rejects with `BadConfig`, `BadKey`, `BadAccountFile` or
 * `WrongPassword`.
 */
export const openAccounts = async (sources: readonly AccountSource[]): Promise<readonly TestAccount[]> => {
  if (sources.length === 0) return [];
  const library = await loadLibrary();
  const all: TestAccount[] = [];
  for (const source of sources)
    for (const named of await openOne(library, source)) all.push(toAccount(library, named));
  return all;
};
