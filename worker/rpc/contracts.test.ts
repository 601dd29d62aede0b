import { describe, expect, it } from 'vitest';
import { openRecordedChain } from '../../test/chain/recorded-chain.ts';
import { hasFixtures } from '../../test/rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { ss58Decode, ss58Encode } from '../crypto/ss58.ts';
import { createNode, type Node } from '../node.ts';
import { createRpcServer } from './server.ts';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
/** twox128 of "Contracts" and of "ContractInfoOf". */
const contractInfoOf = '0x4342193e496fab7ec59d615ed0dc5530060e99e5378e562537cf3bc983e17b91';

/** twox128 of "Contracts" and of "PristineCode". */
const pristineCode = '0x4342193e496fab7ec59d615ed0dc55304d6c2b03b90028f3bf407eb433e96389';

/** The 8-byte key that the recorded contracts write to, and the pallet's third error. */
const inputData = '0x6b65790000000001';
const outOfGas = [2, 0, 0, 0];

type Answer = { result?: unknown; error?: { code: number; message: string; data?: string } };

const createAsk = (node: Node) => {
  const server = createRpcServer(node.parts);
  const settings = { dialect: 'polkadot-sdk', denyUnsafe: false, transport: 'port' } as const;
  const connection = server.connect(() => undefined, settings);
  return async (method: string, params: unknown[]): Promise<Answer> =>
    JSON.parse(
      (await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))) ?? 'null',
    ) as Answer;
};

describe.skipIf(!hasFixtures)('contracts of the recorded chain', () => {
  it('expose their child tries as storage, and can be called', async () => {
    const node = await openRecordedChain();
    const ask = createAsk(node);
    const contracts = (await ask('state_getKeys', [contractInfoOf])).result as string[];
    expect(contracts.length).toBeGreaterThan(1);
    const prefix = `0x${Buffer.from(':child_storage:default:').toString('hex')}`;
    const tries = (await ask('state_getKeys', [prefix])).result as string[];
    let compared = 0;
    for (const key of contracts) {
      const address = ss58Encode(node.parts.crypto, hexToBytes(key).slice(-32), 42);
      for (const child of tries) {
        const names = (await ask('childstate_getKeys', [child, '0x'])).result as string[];
        for (const name of names) {
          // blake2-128 of the key, then the key itself.
          const plain = `0x${name.slice(2 + 32)}`;
          const found = (await ask('contracts_getStorage', [address, plain])).result;
          if (found === null) continue;
          expect(found).toBe((await ask('childstate_getStorage', [child, name])).result);
          compared++;
        }
      }
      const called = await ask('contracts_call', [
        {
          origin: alice,
          dest: address,
          value: 0,
          gasLimit: null,
          storageDepositLimit: null,
          inputData,
        },
      ]);
      expect(called.result).toMatchObject({
        gasConsumed: { ref_time: expect.any(Number), proof_size: expect.any(Number) },
        result: { Ok: { flags: 0 } },
      });
      const starved = await ask('contracts_call', [
        { origin: alice, dest: address, value: '0x0', gasLimit: 1, inputData },
      ]);
      expect(starved.result).toMatchObject({ result: { Err: { Module: { error: outOfGas } } } });
    }
    expect(compared).toBeGreaterThan(5);
    await node.close();
  });

  it('can be instantiated from stored or uploaded code, and an upload is checked for its deposit', async () => {
    const node = await openRecordedChain();
    const ask = createAsk(node);
    const blake = (data: Uint8Array): Uint8Array => node.parts.crypto.blake2b256(data);
    const [key = ''] = (await ask('state_getKeys', [pristineCode])).result as string[];
    const stored = hexToBytes((await ask('state_getStorage', [key])).result as string);
    const code = new Reader(stored).vecBytes();
    const codeHash = bytesToHex(blake(code));
    // The map hashes its keys with Identity, so the last bytes are the code hash.
    expect(key.endsWith(codeHash.slice(2))).toBe(true);
    const upload = await ask('contracts_upload_code', [{ origin: alice, code: bytesToHex(code) }]);
    expect(upload.result).toEqual({ Ok: { codeHash, deposit: expect.any(Number) } });
    const broken = await ask('contracts_upload_code', [{ origin: alice, code: '0x0061736d01000000' }]);
    expect(broken.result).toMatchObject({ Err: { Module: { index: expect.any(Number) } } });
    /** How pallet-contracts derives an address: from deployer, code hash, and SCALE-encoded data and salt. */
    const addressOf = (salt: Uint8Array): string => {
      const writer = new Writer()
        .raw(textToBytes('contract_addr_v1'))
        .raw(ss58Decode(node.parts.crypto, alice).publicKey);
      writer.raw(hexToBytes(codeHash)).vecBytes(hexToBytes(inputData)).vecBytes(salt);
      return ss58Encode(node.parts.crypto, blake(writer.finish()), 42);
    };
    const request = {
      origin: alice,
      value: 10 ** 12,
      gasLimit: null,
      storageDepositLimit: null,
      data: inputData,
    };
    const made = async (given: object): Promise<any> =>
      (await ask('contracts_instantiate', [{ ...request, ...given }])).result;
    for (const given of [{ existing: codeHash }, { upload: bytesToHex(code) }, bytesToHex(code)]) {
      const result = await made({ code: given, salt: '0x0102' });
      expect(result).toMatchObject({
        gasConsumed: { ref_time: expect.any(Number) },
        storageDeposit: { charge: expect.any(Number) },
        result: { Ok: { result: { flags: 0 }, accountId: addressOf(Uint8Array.of(1, 2)) } },
      });
      expect(result.gasConsumed.ref_time).toBeGreaterThan(0);
      expect(result.storageDeposit.charge).toBeGreaterThan(0);
    }
    expect(await made({ code: { existing: codeHash } })).toMatchObject({
      result: { Ok: { accountId: addressOf(new Uint8Array()) } },
    });
    const unknown = { existing: `0x${'11'.repeat(32)}` };
    expect(await made({ code: unknown })).toMatchObject({ result: { Err: { Module: {} } } });
    const starved = await made({ code: { existing: codeHash }, gasLimit: { refTime: 1, proofSize: 1 } });
    expect(starved).toMatchObject({ result: { Err: { Module: { error: outOfGas } } } });
    // The dry run left no changes.
    expect((await ask('state_getStorage', [key])).result).toBe(bytesToHex(stored));
    expect((await ask('contracts_getStorage', [addressOf(Uint8Array.of(1, 2)), '0x01'])).error).toMatchObject(
      {
        code: 2,
      },
    );
    await node.close();
  });
});

it('returns the documented errors', async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  const ask = createAsk(node);
  const unknown = `0x${'11'.repeat(32)}`;
  expect((await ask('contracts_getStorage', [alice, '0x01'])).error).toEqual({
    code: 2,
    message: "The specified contract doesn't exist.",
  });
  expect((await ask('contracts_getStorage', [alice, '0x01', unknown])).error).toMatchObject({ code: 1 });
  expect((await ask('contracts_getStorage', ['x', '0x01'])).error?.code).toBe(-32602);
  const call = { origin: alice, dest: alice, value: 0, inputData: '0x' };
  for (const wrong of [
    { ...call, value: -1 },
    { ...call, value: 2 ** 128 },
    { ...call, inputData: 'zz' },
    { ...call, gasLimit: {} },
    { ...call, extra: 1 },
    { dest: alice },
    [],
    null,
  ])
    expect((await ask('contracts_call', [wrong])).error?.code).toBe(-32602);
  const instantiation = { origin: alice, value: 0, code: '0x', data: '0x' };
  for (const wrong of [
    { ...instantiation, code: { other: '0x' } },
    { ...instantiation, code: { existing: '0x12' } },
    { ...instantiation, code: { upload: '0x', existing: `0x${'11'.repeat(32)}` } },
    { ...instantiation, salt: 'zz' },
    { ...instantiation, dest: alice },
    { ...instantiation, data: undefined },
    null,
  ])
    expect((await ask('contracts_instantiate', [wrong])).error?.code).toBe(-32602);
  for (const wrong of [
    { origin: alice },
    { origin: 'x', code: '0x' },
    { origin: alice, code: '0x', value: 0 },
    [],
  ])
    expect((await ask('contracts_upload_code', [wrong])).error?.code).toBe(-32602);
  expect((await ask('contracts_rentProjection', [alice])).result).toBe(null);
  await node.close();
});
