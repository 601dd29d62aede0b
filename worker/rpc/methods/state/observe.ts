import type { observe as table } from '../../../../src/protocol/rpc/observe.ts';
import { logLevels } from '../../../../src/protocol/rpc/params/dev.ts';
import { textToBytes } from '../../../bytes/bytes.ts';
import { bytesToHex } from '../../../bytes/hex.ts';
import { missingImports } from '../../../executor/host/index.ts';
import type { Handlers } from '../../handlers.ts';
import { blockAt, readState } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';

type Deps = Pick<RpcParts, 'chain' | 'crypto' | 'db' | 'executor' | 'keystore' | 'status'>;

const codeKey = /* @__PURE__ */ textToBytes(':code');

export const observeMethods: Handlers<typeof table, Deps> = {
  dev_runtimeInfo: async (deps, { at, code: given }) => {
    const code = given ?? (await readState(deps, at, (backend) => backend.get(codeKey))) ?? new Uint8Array();
    const codeHash = deps.crypto.blake2b256(code);
    const runtime = given
      ? deps.executor.load(codeHash, code)
      : await deps.chain.runtimeAt(blockAt(deps, at));
    const { module, version } = runtime;
    const functions = [...module.exports].filter(([, { kind }]) => kind === 0);
    return {
      codeHash: bytesToHex(codeHash),
      codeBytes: code.length,
      specName: version.specName,
      specVersion: version.specVersion,
      moduleBytes: module.size,
      memory: { ...module.memory.limits },
      imports: module.imports.map(({ module: from, name, kind, type }) => ({
        module: from,
        name,
        kind,
        params: type?.params ?? '',
        results: type?.results ?? '',
      })),
      missing: missingImports(module),
      exports: functions.map(([name]) => name),
    };
  },
  dev_listKeys: ({ keystore }) =>
    keystore.list().map(({ publicKey, ...key }) => ({ ...key, publicKey: bytesToHex(publicKey) })),
  dev_stats: async ({ chain, executor, db }) => ({
    blocks: chain.timings().map((timing) => ({ ...timing })),
    wasm: { instances: executor.liveInstances(), pages: executor.memoryPages() },
    storedBytes: await db.sizeBytes(),
  }),
  dev_status: ({ status }) => status(),
  dev_subscribeLogs: ({ executor }, { level }, sink) =>
    executor.watchLogs(
      level == null ? null : logLevels.indexOf(level),
      ({ level: index, target, message, block }) =>
        sink.emit({ at: Date.now(), level: logLevels[index] ?? 'trace', target, text: message, block }),
    ),
};
