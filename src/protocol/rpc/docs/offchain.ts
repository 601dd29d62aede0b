import type { MethodDocs } from '../define.ts';

const key = '0x6b6579';

export const offchainDocs = {
  offchain_localStorageSet: {
    doc: 'Sets a value of the offchain database; polkadot-sdk: of kind PERSISTENT only.',
    example: { kind: 'PERSISTENT', key, value: '0x76616c7565' },
  },
  offchain_localStorageGet: {
    doc: 'A value of the offchain database, or null; polkadot-sdk: of kind PERSISTENT only.',
    example: { kind: 'PERSISTENT', key },
  },
  offchain_localStorageClear: {
    doc: 'Removes a value of the offchain database; polkadot-sdk: of kind PERSISTENT only.',
    example: { kind: 'PERSISTENT', key },
  },
} satisfies MethodDocs;
