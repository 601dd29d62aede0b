import type { BlockHash } from '../../worker/codec/identity.ts';
import { createNotifications } from '../../worker/network/links/notifications.ts';
import { encodeRole, encodeStatus } from '../../worker/network/protocol/block-announces.ts';
import { protocolNames } from '../../worker/network/protocol/names.ts';
import { dialEndpoint, schedule } from './endpoint.ts';

/** Dials a node as a full node that has the genesis block and says nothing more. Resolves when it is a peer. */
export const dialAsPeer = async (
  url: string,
  seed: number,
  genesis: BlockHash,
): Promise<{ close(): void }> => {
  const names = (suffix: string) => protocolNames({ genesis, forkId: null, protocolId: null }, suffix);
  const opened = Promise.withResolvers<void>();
  const create = (suffix: string, handshake: Uint8Array, onOpen: () => void) =>
    createNotifications({
      ...{ names: names(suffix), schedule, handshake: () => handshake, accepts: () => true },
      limits: { maxMessageBytes: 2 ** 20, maxQueuedBytes: 2 ** 20, priority: 'announce' },
      ...{ opened: onOpen, message: () => undefined, closed: () => undefined },
    });
  const status = encodeStatus({ role: 'full', best: { hash: genesis, number: 0 }, genesis });
  const announces = create('block-announces/1', status, opened.resolve);
  const others = ['transactions/1', 'grandpa/1'].map((suffix) =>
    create(suffix, encodeRole('full'), () => undefined),
  );
  const served = [announces, ...others].map((link) => link.served);
  const connection = await dialEndpoint(url, seed, served);
  announces.open(connection);
  void connection.closed.then((reason) => opened.reject(new Error(reason)));
  await opened.promise;
  return { close: () => connection.close('The benchmark is over') };
};
