import type { MethodDocs } from '../define.ts';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';

export const contractsDocs = {
  contracts_call: {
    doc: 'Calls a contract on the state of a block and drops the changes.',
    example: { call_request: { origin: alice, dest: bob, value: 0, inputData: '0x' } },
  },
  contracts_getStorage: {
    doc: "The value of a key in a contract's storage, or null.",
    example: { address: bob, key: '0x01' },
  },
  contracts_instantiate: {
    doc: 'Instantiates uploaded or given code on the state of a block and drops the changes.',
    example: { instantiate_request: { origin: alice, value: 0, code: { upload: '0x' }, data: '0x' } },
  },
  contracts_upload_code: {
    doc: 'Validates code on the state of a block; returns its hash and deposit. Changes are dropped.',
    example: { upload_request: { origin: alice, code: '0x' } },
  },
  contracts_rentProjection: {
    doc: 'Always null, because contracts no longer pay rent.',
    deprecated: 'Rent was removed from the contracts pallet.',
    example: { address: bob },
  },
} satisfies MethodDocs;
