import { Trap } from '../trap.ts';
import type { HostFunction } from './context.ts';

const refused = (name: string, params: string, results: string): HostFunction => ({
  name,
  params,
  results,
  create: () => () => {
    throw new Trap(`${name} is not offered by this node`);
  },
});

/** The results of a native node without a statement store: "not available" and empty lists. */
const statements: readonly HostFunction[] = [
  {
    name: 'ext_statement_store_submit_statement_version_1',
    params: 'I',
    results: 'i',
    create: () => () => 3,
  },
  ...(
    [
      ['ext_statement_store_statements_version_1', ''],
      ['ext_statement_store_broadcasts_version_1', 'I'],
      ['ext_statement_store_posted_version_1', 'Ii'],
      ['ext_statement_store_posted_clear_version_1', 'Ii'],
    ] as const
  ).map(
    ([name, params]): HostFunction => ({
      name,
      params,
      results: 'I',
      create: (host) => () => host.memory.allocWrite(Uint8Array.of(0)),
    }),
  ),
  {
    name: 'ext_statement_store_remove_version_1',
    params: 'i',
    results: '',
    create: () => () => undefined,
  },
];

/**
 * Known functions that this node does not implement. A runtime that imports them loads, and traps when it
 * calls one.
 */
export const refusedFunctions: readonly HostFunction[] = [
  ...statements,
  refused('ext_crypto_bandersnatch_generate_version_1', 'iI', 'i'),
  refused('ext_crypto_bls377_generate_version_1', 'iI', 'i'),
  refused('ext_crypto_bls381_generate_version_1', 'iI', 'i'),
  refused('ext_crypto_ecdsa_bls377_generate_version_1', 'iI', 'i'),
  refused('ext_crypto_ecdsa_bls381_generate_version_1', 'iI', 'i'),
  refused('ext_sandbox_instantiate_version_1', 'iIIi', 'i'),
  refused('ext_sandbox_invoke_version_1', 'iIIiii', 'i'),
  refused('ext_sandbox_memory_new_version_1', 'ii', 'i'),
  refused('ext_sandbox_memory_get_version_1', 'iiii', 'i'),
  refused('ext_sandbox_memory_set_version_1', 'iiii', 'i'),
  refused('ext_sandbox_memory_teardown_version_1', 'i', ''),
  refused('ext_sandbox_instance_teardown_version_1', 'i', ''),
];
