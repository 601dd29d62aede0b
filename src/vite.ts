/** A plugin of Vite, as far as its types matter to a configuration. */
export type TabnodePlugin = { readonly name: string };

/**
 * A Vite plugin whose dev server relays to the node of the page under development, like `tabnode bridge`:
 * `ws://localhost:5173/tabnode` for WebSockets, the same address with http for calls. The page serves its node by
 * `shareNode(node)` of `tabnode/bridge`. Built from `bridge/vite.ts`.
 */
export declare const tabnode: () => TabnodePlugin;
