import type { Page } from 'playwright';
import type { Line } from '../figure.ts';
import { sleep } from '../measure.ts';
import { measureFrames } from './frames.ts';

/** Messages per second. */
const rate = 1000;
const recordMs = 5000;
const turnMs = 10;

type Client = { request(method: string, params: readonly unknown[]): Promise<unknown> };
type Own = {
  readonly tabnode: { connect(): Promise<Client> };
  benchPort?: MessagePort;
};

/** twox128("System") and twox128("Number"). */
const numberKey = '0x26aa394eea5630e07c48ae0c9558cef702a5c1b19ab7a04f536c519aca4983ac';
const subscription = 'state_subscribeStorage';

/**
 * Runs in the page before anything else: remembers the page's end of the first connection, so that
 * notifications can be injected as if sent by the worker.
 */
const keepPort = (): void => {
  const Channel = MessageChannel;
  globalThis.MessageChannel = class extends Channel {
    constructor() {
      super();
      const listen = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
      const { port1 } = this;
      Object.defineProperty(port1, 'onmessage', {
        configurable: true,
        set: (heard: unknown) => {
          (globalThis as unknown as Own).benchPort ??= port1;
          listen?.set?.call(port1, heard);
        },
      });
    }
  };
};

/** Runs in the page: `perSecond` notifications of the storage subscription on System.Number. */
const pourNotifications = async ([key, perSecond, ms, everyMs]: readonly [
  key: string,
  perSecond: number,
  ms: number,
  everyMs: number,
]): Promise<void> => {
  const { benchPort: port } = globalThis as unknown as Own;
  if (port === undefined) throw new Error('the connection was not seen');
  const id = await new Promise<string>((resolve) => {
    const hear = ({ data }: MessageEvent): void => {
      for (const text of [data].flat() as unknown[]) {
        if (typeof text !== 'string' || !text.includes('"state_storage"') || !text.includes(key)) continue;
        port.removeEventListener('message', hear);
        resolve(String(JSON.parse(text).params.subscription));
      }
    };
    port.addEventListener('message', hear);
  });
  const begin = performance.now();
  let sent = 0;
  await new Promise<void>((done) => {
    const turn = (): void => {
      const now = performance.now() - begin;
      const texts: string[] = [];
      for (; sent < (now * perSecond) / 1000; sent++) {
        const value = (sent & 0xffff).toString(16).padStart(4, '0');
        texts.push(
          `{"jsonrpc":"2.0","method":"state_storage","params":{"subscription":${JSON.stringify(id)},"result":{"block":"0x${sent.toString(16).padStart(64, '0')}","changes":[["${key}","0x${value}0000"]]}}}`,
        );
      }
      if (texts.length > 0) port.dispatchEvent(new MessageEvent('message', { data: texts }));
      if (now < ms) setTimeout(turn, everyMs);
      else done();
    };
    turn();
  });
};

/** Runs in the page: another client whose requests and responses add up to `perSecond` messages. */
const pourCalls = async ([perSecond, ms, everyMs]: readonly [
  perSecond: number,
  ms: number,
  everyMs: number,
]): Promise<void> => {
  const client = await (globalThis as unknown as Own).tabnode.connect();
  const begin = performance.now();
  let sent = 0;
  await new Promise<void>((done) => {
    const turn = (): void => {
      const now = performance.now() - begin;
      for (; sent < (now * perSecond) / 2000; sent++) void client.request('system_health', []);
      if (now < ms) setTimeout(turn, everyMs);
      else done();
    };
    turn();
  });
};

const openWith = async (page: Page, link: string, url: string): Promise<void> => {
  await page.addInitScript(keepPort);
  await page.goto(`${url}#/${link}`);
  await page.getByRole('link', { name: 'Best block' }).filter({ hasText: /#\d/ }).waitFor();
};

/** The Live panel at 1,000 messages per second: a subscription's column, and the log of all traffic. */
export const measureFloods = async (newPage: () => Promise<Page>, url: string): Promise<Line[]> => {
  const feeds = await newPage();
  const sub = JSON.stringify([[subscription, [[numberKey]]]]);
  await openWith(feeds, `live?sub=${encodeURIComponent(sub)}`, url);
  await feeds
    .getByRole('button', { name: /^Notification \d/ })
    .first()
    .waitFor();
  const pouring = feeds.evaluate(pourNotifications, [numberKey, rate, recordMs + 4000, turnMs] as const);
  await feeds.getByText(/[1-9]\d\d received/).waitFor();
  const tail = await measureFrames(
    feeds,
    `devtools: frame p95, ${rate} notifications/s in a Live column`,
    recordMs,
  );
  await pouring;
  await feeds.context().close();

  const logs = await newPage();
  await openWith(logs, 'live/traffic', url);
  const calling = logs.evaluate(pourCalls, [rate, recordMs + 2000, turnMs] as const);
  await logs.getByText('system_health').first().waitFor();
  await sleep(500);
  const log = await measureFrames(
    logs,
    `devtools: frame p95, ${rate} messages/s in the traffic log`,
    recordMs,
  );
  await calling;
  await logs.context().close();
  return [tail, log];
};
