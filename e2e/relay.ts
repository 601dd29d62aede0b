import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP relay to a port of this machine, which can be cut and joined again. */
export const openRelay = async (target: number) => {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect({ host: '127.0.0.1', port: target });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = (): void => {
    for (const one of sockets) one.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: (): void => {
      isCut = true;
      end();
    },
    join: (): void => {
      isCut = false;
    },
    close: (): void => {
      server.close();
      end();
    },
  };
};

export type Relay = Awaited<ReturnType<typeof openRelay>>;
