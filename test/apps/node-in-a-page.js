// What every app here does: starts a node, queries it, has it seal a block, and shows the results.
import { startNode } from 'tabnode';

const show = (name, text) => {
  const line = document.createElement('p');
  line.textContent = `${name}: ${text}`;
  document.body.append(line);
};

try {
  const node = await startNode({ seal: 'manual' });
  show('Chain', await node.rpc.system_chain());
  show('Best block', (await node.rpc.chain_getHeader()).number);
  await node.rpc.dev_newBlock();
  const { number, parentHash } = await node.rpc.chain_getHeader();
  show('Sealed', `${number} on ${parentHash}`);
} catch (error) {
  show('Failed', error);
}
