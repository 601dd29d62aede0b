import { NodeError } from '../../src/protocol/errors.ts';
import type { NetworkConfig } from '../../src/protocol/network.ts';

const isCount = (least: number) => ({
  what: `a whole number of ${least} or more`,
  is: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= least,
});
const texts = {
  what: 'a list of texts',
  is: (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};
const text = { what: 'a text', is: (value: unknown) => typeof value === 'string' };
const boolean = { what: 'true or false', is: (value: unknown) => typeof value === 'boolean' };

const fields: Readonly<
  Record<keyof NetworkConfig, { readonly what: string; readonly is: (value: unknown) => boolean }>
> = {
  ...{ bootNodes: texts, reservedNodes: texts, publicAddresses: texts, reservedOnly: boolean, name: text },
  ...{ inPeers: isCount(0), inPeersLight: isCount(0), outPeers: isCount(0) },
  ...{ maxParallelDownloads: isCount(1), maxBlocksPerRequest: isCount(1) },
};

/** Throws `BadConfig` for unknown fields and values of another type, which a program in JavaScript may give. */
export const checkNetworkConfig = (config: NetworkConfig): void => {
  for (const [name, value] of Object.entries(config)) {
    if (!Object.hasOwn(fields, name))
      throw new NodeError(
        'BadConfig',
        `network.${name}: no such option; expected one of ${Object.keys(fields).join(', ')}`,
      );
    const { what, is } = fields[name as keyof NetworkConfig];
    if (value !== undefined && !is(value))
      throw new NodeError('BadConfig', `network.${name}: expected ${what}`);
  }
};
