/** A Vite plugin, reduced to what a configuration's types need. */
export type TabnodePlugin = { readonly name: string };

/**
 * A Vite plugin whose dev server relays to the node of the page under development, like `tabnode bridge`:
 * `ws://localhost:5173/tabnode` for WebSockets, the same address with http for calls. The page shares its
 * node with `shareNode(node)` of `tabnode/bridge`. Built from `bridge/vite.ts`.
 */
export declare const tabnode: () => TabnodePlugin;
