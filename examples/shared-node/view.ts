/// <reference types="vite/client" />
import { drawBlock } from './draw.ts';
import { node } from './node.ts';

let draw = drawBlock;
let best = 0;
await node.rpc.chain_subscribeNewHeads({}, ({ number }) => {
  best = Number(number);
  draw(best);
});

// A change to draw.ts is shown at once; the node and its clients keep running. A change to another file
// reloads the page, and clients reconnect.
import.meta.hot?.accept('./draw.ts', (changed) => {
  draw = (changed as unknown as { readonly drawBlock: typeof drawBlock } | undefined)?.drawBlock ?? draw;
  draw(best);
});
