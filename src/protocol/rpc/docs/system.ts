import type { MethodDocs } from '../define.ts';

export const paymentDocs = {
  payment_queryInfo: {
    doc: 'The inclusion fee of an extrinsic: an exact integer (psp-6), or weight, class and fee (polkadot-sdk).',
    example: { encoded_xt: '0x1004010014' },
  },
  payment_queryFeeDetails: {
    doc: 'The parts of the inclusion fee of an extrinsic, as hex; null if nothing is paid.',
    example: { encoded_xt: '0x1004010014' },
  },
} satisfies MethodDocs;

export const rpcDocs = {
  rpc_methods: {
    doc: 'Every method name, sorted, including aliases, subscriptions and unsafe methods.',
    example: {},
  },
  'rpc.discover': {
    doc: 'The OpenRPC document of this node: every method with the schemas of its parameters and result.',
    example: {},
  },
} satisfies MethodDocs;

export const systemDocs = {
  system_name: { doc: 'The name of this implementation.', example: {} },
  system_version: { doc: 'The version of this implementation.', example: {} },
  system_chain: { doc: 'The name of the chain.', example: {} },
  system_chainType: {
    doc: 'The type of the chain; a custom one as its name (psp-6) or as `{"Custom":name}` (polkadot-sdk).',
    example: {},
  },
  system_properties: { doc: "The chain specification's properties, unchanged.", example: {} },
  system_health: {
    doc: 'Number of peers, whether the node is syncing, whether it should have peers.',
    example: {},
  },
  system_peers: {
    doc: 'The connected peers: the nodes of the page or process to which this one is linked.',
    example: {},
  },
  system_nodeRoles: {
    doc: 'The role of the node, as a list of one: Authority if it holds authoring keys, else Full.',
    example: {},
  },
  system_syncState: {
    doc: 'The best block at startup, the current one, and the highest known.',
    example: {},
  },
  system_dryRun: {
    doc: 'The result of applying an extrinsic to the state of a block, SCALE encoded; changes are dropped.',
    example: { extrinsic: '0x1004010014' },
  },
  system_addLogFilter: {
    doc: 'Adds comma-separated directives to the log filter: `level`, `target` or `target=level`, with the levels off, error, warn, info (initial), debug and trace. The filter applies to `dev_subscribeLogs` without a level, and to what runtimes log.',
    example: { directives: 'runtime=debug' },
  },
  system_resetLogFilter: { doc: 'Resets the log filter to `info`.', example: {} },
  system_accountNextIndex: {
    doc: 'The next nonce of an account, including ready transactions in the pool.',
    example: { account: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY' },
  },
} satisfies MethodDocs;
