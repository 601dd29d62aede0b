import * as z from 'zod/mini';
import { contractCall, contractInstantiation, contractUpload } from './contract-params.ts';
import { call, type Schema } from './define.ts';
import { bytes, hash, optional, text } from './params.ts';
import { hashResult, hexResult } from './results.ts';

const whole = () => z.union([z.int(), z.bigint()]);
const weight = () => z.object({ ref_time: whole(), proof_size: whole() });
const dispatchError = () => z.union([z.string(), z.record(z.string(), z.unknown())]);
const okOrError = <T extends Schema>(ok: T) =>
  z.union([z.object({ Ok: ok }), z.object({ Err: dispatchError() })]);
const returned = () => z.object({ flags: z.int(), data: hexResult() });
/** What a call or constructor consumed, and how it ended. */
const execution = <T extends Schema>(ok: T) =>
  z.object({
    gasConsumed: weight(),
    gasRequired: weight(),
    storageDeposit: z.union([z.object({ refund: whole() }), z.object({ charge: whole() })]),
    debugMessage: z.string(),
    result: okOrError(ok),
  });

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';

const refused = {
  gasConsumed: { ref_time: 0, proof_size: 0 },
  gasRequired: { ref_time: 0, proof_size: 0 },
  storageDeposit: { charge: 0 },
  debugMessage: '',
  result: { Err: { Module: { index: 8, error: [6, 0, 0, 0] } } },
};

/** Contracts through the runtime's `ContractsApi`; reserved in PSP-6, "Method not found" without that API. */
export const contracts = {
  contracts_call: call({
    doc: 'Calls a contract on the state of a block and drops the changes.',
    params: { call_request: contractCall(), at: optional(hash()) },
    result: execution(returned()),
    safety: 'safe',
    example: {
      args: { call_request: { origin: alice, dest: bob, value: 0, inputData: '0x' } },
      result: refused,
    },
  }),
  contracts_getStorage: call({
    doc: "The value of a key in a contract's storage, or null.",
    params: { address: text('account'), key: bytes(), at: optional(hash()) },
    result: z.nullable(hexResult()),
    safety: 'safe',
    example: { args: { address: bob, key: '0x01' }, result: '0x00' },
  }),
  contracts_instantiate: call({
    doc: 'Instantiates uploaded or given code on the state of a block and drops the changes.',
    params: { instantiate_request: contractInstantiation(), at: optional(hash()) },
    result: execution(z.object({ result: returned(), accountId: z.string() })),
    safety: 'safe',
    example: {
      args: { instantiate_request: { origin: alice, value: 0, code: { upload: '0x' }, data: '0x' } },
      result: { ...refused, result: { Err: { Module: { index: 8, error: [26, 0, 0, 0] } } } },
    },
  }),
  contracts_upload_code: call({
    doc: 'Validates code on the state of a block; returns its hash and deposit. Changes are dropped.',
    params: { upload_request: contractUpload(), at: optional(hash()) },
    result: okOrError(z.object({ codeHash: hashResult(), deposit: whole() })),
    safety: 'safe',
    example: {
      args: { upload_request: { origin: alice, code: '0x' } },
      result: { Err: { Module: { index: 8, error: [26, 0, 0, 0] } } },
    },
  }),
  contracts_rentProjection: call({
    doc: 'Always null, because contracts no longer pay rent.',
    params: { address: text('account'), at: optional(hash()) },
    result: z.null(),
    safety: 'safe',
    deprecated: 'Rent was removed from the contracts pallet.',
    example: { args: { address: bob }, result: null },
  }),
};
