import { parseMcpArguments } from '../cli/mcp-arguments.ts';
import type { Output } from '../cli/output.ts';

/**
 * `tabnode mcp`: the node's tools for agents, over stdin and stdout or over HTTP. The dependencies are loaded
 * only by this command.
 */
export const mcp = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseMcpArguments(argv);
  const { runMcp } = await import('../mcp/run.ts');
  await runMcp(args, output);
};
