import { type OptionTable, switches, texts } from './command.ts';

/** Flags of `tabnode fork` that have the names and short forms of chopsticks. `block` is one of our own. */
export const chopsticksFlags = {
  config: { by: 'any', type: 'string', short: 'c' },
  endpoint: { by: 'any', type: 'string', short: 'e', multiple: true },
  port: { by: 'any', type: 'string', short: 'p' },
  ...texts('any', 'build-block-mode', 'db', 'resume', 'timestamp', 'runtime-log-level'),
  'import-storage': { by: 'any', type: 'string', short: 's' },
  'wasm-override': { by: 'named', type: 'string', short: 'w' },
  ...switches('named', 'mock-signature-host'),
  ...switches('any', 'allow-unresolved-imports'),
} as const satisfies OptionTable;
