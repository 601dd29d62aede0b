import type { Connection } from '../../src/index.ts';
import type { UiNode } from '../node/client/ui-node.ts';
import type { Metas } from '../node/metas.svelte.ts';
import type { ModelContext, ModelContextTool } from './model-context.ts';
import { registerTools } from './register.ts';
import { callTool, cardOf, createTurns, type ToolCard, tools } from './tools/index.ts';
import type { Context, Permission } from './tools/tool.ts';

const permission: Permission = {
  isRevocable: true,
  name: 'write permission, granted in this page under Node, Agents',
  refusal: 'agents may not write in this page until you allow it (Node, Agents)',
};

type Offer = {
  readonly node: UiNode;
  readonly metas: Metas;
  /** The permission to write. Its signal is aborted when the permission is withdrawn; null without one. */
  writing(): AbortSignal | null;
  /** Ends the offer: the tools are unregistered, and calls in progress end. */
  readonly signal: AbortSignal;
};

/** Agents' calls use a separate connection, which the traffic log shows as another client. */
const createContext = ({ node, metas, writing, signal }: Offer): Context => {
  let connecting: Promise<Connection> | null = null;
  const open = async (): Promise<Connection> => {
    signal.throwIfAborted();
    const connection = await node.connect();
    signal.addEventListener('abort', () => connection.close(), { once: true });
    if (signal.aborted) connection.close();
    return connection;
  };
  const connect = (): Promise<Connection> => {
    connecting ??= open().catch((fault: unknown) => {
      connecting = null;
      throw fault;
    });
    return connecting;
  };
  return {
    get allowWrites() {
      return writing() !== null;
    },
    permission,
    connect,
    inTurn: createTurns(),
    meta: metas,
    request: async (method, params, options) => (await connect()).request(method, params, options),
  };
};

/** Registers the tools with the browser, and resolves to them; rejects if the browser refuses one. */
export const offerTools = async (model: ModelContext, offer: Offer): Promise<readonly ToolCard[]> => {
  const context = createContext(offer);
  const cards = tools.map((one) => cardOf(context, one));
  const registered = tools.map((one, index): ModelContextTool => {
    const { name, title, description, inputSchema, isReadOnly } = cards[index] as ToolCard;
    return {
      name,
      title,
      description,
      inputSchema,
      // Remarks, asset names and runtime docs are untrusted text.
      annotations: { readOnlyHint: isReadOnly, untrustedContentHint: true },
      execute: (input, options) => {
        const canceled = options?.signal instanceof AbortSignal ? options.signal : null;
        const permitted = isReadOnly ? null : offer.writing();
        const ends = [offer.signal, canceled, permitted].filter((signal) => signal !== null);
        return callTool(context, one, input ?? {}, AbortSignal.any(ends));
      },
    };
  });
  await registerTools(model, registered, offer.signal);
  return cards;
};
