import type { traffic as table } from '../../../src/protocol/rpc/traffic.ts';
import type { Traffic } from '../connection/traffic.ts';
import type { Handlers } from '../handlers.ts';

const defaultTextLimit = 2000;
const maxTextLimit = 16 * 1024 * 1024;

/** Reports the messages of all clients. */
export const createTrafficMethods = (traffic: Traffic): Handlers<typeof table, unknown> => ({
  dev_subscribeTraffic: (_deps, { text_limit, own }, sink, { connection }) =>
    traffic.follow(
      { connection, own: own === true, textLimit: Math.min(text_limit ?? defaultTextLimit, maxTextLimit) },
      sink.emit,
    ),
});
