// Writes worker/chain/development-genesis.ts: the genesis state of the development preset, by the default runtime itself.
// Run after public/tabnode-runtime.compact.compressed.wasm has changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bytesToHex } from '../worker/bytes/hex.ts';
import { genesisState } from '../worker/chain/genesis.ts';
import { loadCrypto } from '../worker/crypto/crypto.ts';
import { createExecutor } from '../worker/executor/executor.ts';
import { emptySource } from '../worker/trie/node-source.ts';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const crypto = await loadCrypto();
const code = new Uint8Array(readFileSync(path('../public/tabnode-runtime.compact.compressed.wasm')));
const { changes, version } = genesisState(
  { crypto, executor: createExecutor({ crypto }), source: emptySource },
  { kind: 'runtime', code, preset: 'development', patch: null, config: null },
);
const codeName = bytesToHex(new TextEncoder().encode(':code'));
const lines = changes.main
  .map(([key, value]) => [bytesToHex(key), bytesToHex(value ?? new Uint8Array())])
  .filter(([key]) => key !== codeName)
  .map(([key = '', value = '']) => {
    const line = `    '${key}': '${value}',`;
    return line.length > 110 ? `    '${key}':\n      '${value}',` : line;
  });
const text = `/** The genesis state of the development preset without its code: written by scripts/genesis.mjs, tested against the runtime. */
export const developmentGenesis = {
  codeHash: '${bytesToHex(crypto.blake2b256(code))}',
  version: ${version},
  top: {
${lines.join('\n')}
  },
} as const;
`;
writeFileSync(path('../worker/chain/development-genesis.ts'), text);
