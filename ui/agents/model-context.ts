/** A tool as a page registers it. */
export type ModelContextTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: object;
  readonly annotations: { readonly readOnlyHint: boolean; readonly untrustedContentHint: boolean };
  /** Chrome 153 and later pass a signal that is aborted when the agent or the user cancels the call. */
  execute(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
};

/**
 * The browser's registry of tools: WebMCP, Draft Community Group Report of June 2026
 * (https://webmachinelearning.github.io/webmcp, webmachinelearning/webmcp at bc93f03), where it is
 * `document.modelContext` and tools are registered one by one until a signal is aborted. In drafts before
 * May 2026 it was `navigator.modelContext`, with `unregisterTool`; in those before April, a page could also
 * replace all of its tools with `provideContext`.
 */
export type ModelContext = {
  registerTool?(tool: ModelContextTool, options?: { readonly signal?: AbortSignal }): unknown;
  unregisterTool?(name: string): void;
  provideContext?(context: { readonly tools: readonly ModelContextTool[] }): void;
};

/** Null in a browser without WebMCP. */
export const findModelContext = (): ModelContext | null => {
  const { modelContext: current } = document as { readonly modelContext?: ModelContext };
  const { modelContext: earlier } = navigator as { readonly modelContext?: ModelContext };
  return current ?? earlier ?? null;
};
