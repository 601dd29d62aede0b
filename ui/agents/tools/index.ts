import { NodeError } from '../../../src/protocol/errors.ts';
import { writeJson } from '../../../src/protocol/json.ts';
import { JsonRpcError } from '../../../src/protocol/json-rpc/json-rpc-error.ts';
import { DecodeFault } from '../../../src/scale/cursor.ts';
import { EncodeFault } from '../../../src/scale/encode.ts';
import { callTools } from './call-tools.ts';
import { chainTools } from './chain-tools.ts';
import { controlTools } from './control-tools.ts';
import { metadataTools } from './metadata-tools.ts';
import { rpcTools } from './rpc-tools.ts';
import { type JsonSchema, schemaOf } from './schema.ts';
import { storageTools } from './storage-tools.ts';
import { type Context, refuseWrite, type Tool } from './tool.ts';

/** The tools of `tabnode mcp`. */
export const tools: readonly Tool[] = [
  ...chainTools,
  ...metadataTools,
  ...storageTools,
  ...callTools,
  ...controlTools,
  ...rpcTools,
];

/** Longer responses are refused, because an agent has to read all of them. */
const mostCharacters = 60_000;

const writeAnswer = (answer: unknown): string => {
  const text = writeJson(answer);
  if (text.length <= mostCharacters) return text;
  throw new NodeError(
    'LimitReached',
    `The result has ${text.length} characters, more than ${mostCharacters}: request less with "limit", "search" or a single entry`,
  );
};

/** Code and message of an error; a numeric code is a JSON-RPC code. */
const errorJson = (error: unknown): object => {
  if (error instanceof NodeError) return { code: error.code, message: error.message };
  if (error instanceof JsonRpcError) {
    const { code, message, data } = error;
    return { code, message, ...(data === undefined ? {} : { data: writeJson(data).slice(0, 2000) }) };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof EncodeFault) return { code: 'BadValue', message };
  return { code: error instanceof DecodeFault ? 'BadScale' : 'Internal', message };
};

/** A tool as listed. */
export type ToolCard = Pick<Tool, 'name' | 'title' | 'description'> & {
  readonly inputSchema: JsonSchema;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
};

const isOpen = (context: Context, { writes }: Tool): boolean => !writes || context.allowWrites;

/** Refused tools are listed too, so that an agent can tell the user how to allow them. */
const describe = (context: Context, one: Tool): string => {
  if (isOpen(context, one)) return one.description;
  return `Refused here: needs ${context.permission.name}. ${one.description}`;
};

export const cardOf = (context: Context, one: Tool): ToolCard => {
  const { name, title, input, writes, destroys } = one;
  const isAnyCall = name === 'rpc_call';
  return {
    name,
    title,
    description: describe(context, one),
    inputSchema: schemaOf(input),
    isReadOnly: !writes && !isAnyCall,
    isDestructive: destroys || isAnyCall,
  };
};

/** The result of a tool in the format of the protocol. */
export type ToolAnswer = {
  readonly content: [{ readonly type: 'text'; readonly text: string }];
  readonly isError?: true;
};

const toAnswer = (text: string): ToolAnswer => ({ content: [{ type: 'text', text }] });

/** Never rejects: errors are results with a code. */
export const callTool = async (
  context: Context,
  one: Tool,
  args: unknown,
  signal: AbortSignal,
): Promise<ToolAnswer> => {
  try {
    if (!isOpen(context, one)) throw refuseWrite(context, one.name);
    return toAnswer(writeAnswer(await one.run(context, args, signal)));
  } catch (error) {
    return { isError: true, ...toAnswer(writeJson({ error: errorJson(error) })) };
  }
};

/** Runs tasks one after the other, whether they succeed or not. */
export const createTurns = (): Context['inTurn'] => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
};
