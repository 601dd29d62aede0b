import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseServeArguments } from '../cli/arguments.ts';
import { parseBridgeArguments } from '../cli/bridge-arguments.ts';
import { callSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, postAs } from '../clients/test-clients.fixture.ts';
import { type NodeThread, startIdleNode } from '../thread/node-thread.ts';
import { type OpenServers, openServers } from './open-servers.ts';

/** PSP-6 §4.12, as a polkadot-sdk node implements it: who may call what, depending on a command's flags. */

let node: NodeThread;
beforeAll(async () => {
  node = await startIdleNode({ chain: 'development', storage: { kind: 'memory' } });
});
afterAll(() => node.stop());

const ports = ['--ws-port=0', '--rpc-port=0'] as const;

/** Opens each command's front door with the given flags; rejects if the command refuses them. */
const commands: Record<string, (flags: readonly string[]) => Promise<OpenServers>> = {
  serve: async (flags) => openServers(node.openPort, parseServeArguments([...ports, ...flags])),
  // Behind a bridge is a page's node, whose user may deny more calls (bridge.test.ts).
  bridge: async (flags) => openServers(node.openPort, parseBridgeArguments([...ports, ...flags])),
};

const exposures = ['local', 'external', 'unsafe-external'] as const;
type Exposure = (typeof exposures)[number];
const methodSets = ['auto', 'safe', 'unsafe'] as const;

type Setting = {
  readonly ws: Exposure;
  readonly http: Exposure;
  readonly methods: (typeof methodSets)[number];
  readonly isValidator: boolean;
};
const settings: readonly Setting[] = exposures.flatMap((ws) =>
  exposures.flatMap((http) =>
    methodSets.flatMap((methods) => [false, true].map((isValidator) => ({ ws, http, methods, isValidator }))),
  ),
);

const flag = (name: 'ws' | 'rpc', exposure: Exposure): string[] =>
  exposure === 'local' ? [] : [`--${exposure.replace('external', `${name}-external`)}`];

const flagsOf = ({ ws, http, methods, isValidator }: Setting): string[] => [
  ...flag('ws', ws),
  ...flag('rpc', http),
  `--rpc-methods=${methods}`,
  ...(isValidator ? ['--validator'] : []),
];

/** Rule 2: a validator that would be exposed does not start unless the operator explicitly allows it. */
const isRefused = ({ ws, http, methods, isValidator }: Setting): boolean =>
  isValidator && methods !== 'unsafe' && (ws === 'external' || http === 'external');

const doors = ['ws', 'http'] as const;
const places = ['127.0.0.1', '127.0.0.2'] as const;
/** Marked as unsafe in both dialects. */
const calls = { safe: ['system_chain', []], unsafe: ['author_removeExtrinsic', [[]]] } as const;

type Attempt = {
  /** The address called. Each accepts both transports. */
  readonly door: (typeof doors)[number];
  readonly transport: (typeof doors)[number];
  /** 127.0.0.2 is reachable only if the socket listens on all interfaces. */
  readonly place: (typeof places)[number];
  readonly call: keyof typeof calls;
};
const attempts: readonly Attempt[] = doors.flatMap((door) =>
  doors.flatMap((transport) =>
    places.flatMap((place) =>
      (['safe', 'unsafe'] as const).map((call) => ({ door, transport, place, call })),
    ),
  ),
);

type Outcome = 'unreachable' | 'denied' | 'answered';

/** Rules 1 and 3: an exposed address serves only safe calls, including calls from this machine. */
const expected = (setting: Setting, { door, transport, place, call }: Attempt): Outcome => {
  if (place === '127.0.0.2' && setting[door] === 'local') return 'unreachable';
  if (call === 'safe' || setting.methods === 'unsafe') return 'answered';
  const isExposed = setting[door] !== 'local' || setting[transport] !== 'local';
  return setting.methods === 'safe' || isExposed ? 'denied' : 'answered';
};

const attempt = async (
  door: OpenServers,
  { door: listener, transport, place, call }: Attempt,
): Promise<Outcome> => {
  const { port } = new URL(listener === 'ws' ? door.ws : door.http);
  const [method, params] = calls[call];
  // Other host names are refused with any flags (access.test.ts).
  const headers = { host: `localhost:${port}` };
  const asked =
    transport === 'ws'
      ? callSocket(`ws://${place}:${port}`, method, params, headers)
      : postAs(`http://${place}:${port}`, headers, bodyOf(method, params)).then(({ text }) =>
          JSON.parse(text),
        );
  try {
    const { error } = await asked;
    if (error === undefined) return 'answered';
    expect(error).toMatchObject({ code: -32601 });
    return 'denied';
  } catch (error) {
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    return 'unreachable';
  }
};

describe.each(Object.keys(commands))('%s', (command) => {
  const open = commands[command] as (typeof commands)[string];

  it.each(settings.map((setting) => [flagsOf(setting).join(' '), setting] as const))(
    '%s',
    async (_, setting) => {
      if (isRefused(setting)) {
        await expect(open(flagsOf(setting))).rejects.toMatchObject({
          code: 'BadConfig',
          message: expect.stringContaining("shouldn't be used if the node is running as a validator"),
        });
        return;
      }
      const door = await open(flagsOf(setting));
      try {
        const outcomes = await Promise.all(attempts.map((one) => attempt(door, one)));
        expect(outcomes.map((outcome, index) => [attempts[index], outcome])).toEqual(
          attempts.map((one) => [one, expected(setting, one)]),
        );
      } finally {
        await door.close();
      }
    },
  );
});

it('the table covers every outcome', () => {
  const all = settings
    .filter((setting) => !isRefused(setting))
    .flatMap((setting) => attempts.map((one) => expected(setting, one)));
  expect(settings).toHaveLength(54);
  expect(new Set(all)).toEqual(new Set(['unreachable', 'denied', 'answered']));
});
