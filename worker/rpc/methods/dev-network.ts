import { NodeError } from '../../../src/protocol/errors.ts';
import type { NetworkChange } from '../../../src/protocol/rpc/params/dev.ts';
import { invalidParams, RpcError } from '../errors.ts';
import type { RpcParts } from '../parts.ts';
import { peerToJson } from './system.ts';

type Deps = Pick<RpcParts, 'joinNetwork' | 'leaveNetwork' | 'localPeer' | 'network'>;

type Json = Readonly<Record<string, unknown>>;

const refuse = (text: string): never => {
  const { code, message, data } = invalidParams(text);
  throw new RpcError(code, message, data);
};

const readTexts = (value: unknown, where: string): readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? value
    : refuse(`\`${where}\` is not a list of texts`);

const refuseOthers = (rest: Json): void => {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) refuse(`unknown field \`${unknown}\``);
};

const readJoin = (value: unknown): NetworkChange => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('`join` is not a map');
  const { bootNodes, reservedNodes, reservedOnly, ...rest } = value as Json;
  refuseOthers(rest);
  if (reservedOnly !== undefined && typeof reservedOnly !== 'boolean')
    return refuse('`reservedOnly` is not a boolean');
  return {
    join: {
      ...(bootNodes === undefined ? {} : { bootNodes: readTexts(bootNodes, 'bootNodes') }),
      ...(reservedNodes === undefined ? {} : { reservedNodes: readTexts(reservedNodes, 'reservedNodes') }),
      ...(reservedOnly === undefined ? {} : { reservedOnly }),
    },
  };
};

/** Throws an error of invalid parameters if the one change that is given is none. */
const readChange = ({ join, leave, dial, ban }: Json): NetworkChange => {
  if (join !== undefined) return readJoin(join);
  if (leave !== undefined) return leave === true ? { leave } : refuse('`leave` is not true');
  const text = dial ?? ban;
  if (typeof text !== 'string') return refuse(`\`${dial === undefined ? 'ban' : 'dial'}\` is not a text`);
  return dial === undefined ? { ban: text } : { dial: text };
};

const settling = new WeakMap<Deps['network'], Promise<void>>();

/** Joins and leaves one after another: a node that left while it was joining would have the rules of neither. */
const inTurn = async ({ network }: Deps, run: () => void | Promise<void>): Promise<void> => {
  const done = (settling.get(network) ?? Promise.resolve()).then(run);
  settling.set(
    network,
    done.catch(() => undefined),
  );
  await done;
};

/** Throws `InNetwork`, `Unsupported`, `PeerFailed`, `BadConfig`, `BadKey`. */
export const changeNetwork = async (deps: Deps, given: Json): Promise<void> => {
  const change = readChange(given);
  const { network } = deps;
  if ('join' in change) return inTurn(deps, () => deps.joinNetwork(change.join));
  if ('leave' in change) return inTurn(deps, deps.leaveNetwork);
  if (!network.isJoined())
    throw new NodeError('Unsupported', 'The node takes part in no network: join it first');
  const opened = await network.open();
  return 'dial' in change ? opened.dial(change.dial) : opened.ban(change.ban);
};

export const describeNetwork = ({ network, localPeer }: Deps) => ({
  joined: network.isJoined(),
  peerId: localPeer.peerId(),
  addresses: [...localPeer.addresses()],
  peers: network.peers().map(({ reputation, ...peer }) => ({ ...peerToJson(peer), reputation })),
  unreachable: Object.fromEntries(network.opened()?.faults() ?? []),
});
