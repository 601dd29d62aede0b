import type { ModelContext, ModelContextTool } from './model-context.ts';

/** For drafts without signals. In the current one, the signal has unregistered the tool already. */
const unregister = (model: ModelContext, name: string): void => {
  try {
    model.unregisterTool?.(name);
  } catch {
    // It was never registered.
  }
};

/** Registers tools until the signal is aborted. Rejects, with none left, if one is refused or it is aborted before. */
export const registerTools = async (
  model: ModelContext,
  tools: readonly ModelContextTool[],
  signal: AbortSignal,
): Promise<void> => {
  signal.throwIfAborted();
  if (model.registerTool === undefined) {
    if (model.provideContext === undefined)
      throw new TypeError('This browser’s WebMCP cannot register tools');
    model.provideContext({ tools });
    signal.addEventListener('abort', () => model.provideContext?.({ tools: [] }), { once: true });
    return;
  }
  const registered = new AbortController();
  const end = (): void => {
    registered.abort(signal.reason);
    for (const { name } of tools) unregister(model, name);
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    await Promise.all(tools.map(async (tool) => model.registerTool?.(tool, { signal: registered.signal })));
    signal.throwIfAborted();
  } catch (error) {
    signal.removeEventListener('abort', end);
    end();
    throw error;
  }
};
