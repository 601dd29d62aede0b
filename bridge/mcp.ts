import { parseMcpArguments } from './mcp-arguments.ts';

/**
 * `tabnode mcp`: the node's tools for agents, over stdin and stdout. Only this command loads their
 * dependencies.
 */
export const mcp = async (argv: readonly string[]): Promise<void> => {
  const args = parseMcpArguments(argv);
  const { runMcp } = await import('./mcp/run.ts');
  await runMcp(args);
};
