import type { MethodDocs } from '../define.ts';

export const observeDocs = {
  dev_runtimeInfo: {
    doc: "The Wasm module of a block's runtime, or of `code` that could replace it: name and version, sizes in bytes of the stored code and of the module, its hash, imports (types: i = i32, I = i64), which of them this node lacks (`missing`), exported functions, memory limits in pages of 64 KiB.",
    example: {},
  },
  dev_listKeys: {
    doc: 'The keys in the keystore: type, scheme (null if the stored secret fits none) and public key. Secrets are never returned.',
    example: {},
  },
  dev_stats: {
    doc: 'Times of the last blocks in milliseconds, oldest first (for imported blocks buildMs is null and importMs includes execution); live Wasm instances with their pages of 64 KiB; stored bytes, if the platform reports them.',
    example: {},
  },
  dev_status: {
    doc: 'The node at a glance: its chain and heads, how many transactions are ready and future, its seal and finality modes, where it stores blocks and whether it can, its runtime, and what an operator declared that other nodes may not accept: edited state, impersonated accounts, mock signatures, trusted blocks.',
    example: {},
  },
  dev_subscribeLogs: {
    doc: 'New log lines of runtimes and the node, up to a level or, by default, as filtered by `system_addLogFilter` (initially `info`), with the number of the block that was built, run or followed. `debug` and `trace` make the runtime log that much.',
  },
} satisfies MethodDocs;
