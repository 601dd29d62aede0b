import type { PanelInfo } from '../../kit/page/panel.ts';

export const panel: PanelInfo = {
  id: 'chain',
  label: 'Chain',
  key: '1',
  icon: 'M3 3h4v4H3zM9 9h4v4H9zM7 5h4v4',
  hint: 'blocks, forks, transactions',
  pages: [
    { id: 'control', label: 'Control', needs: 'dev_newBlock' },
    { id: 'epoch', label: 'Consensus' },
    { id: 'pair', label: 'Alice and Bob' },
    { id: 'tx', label: 'Transaction' },
  ],
  commands: [
    { label: 'Find a block or a transaction', words: 'hash number search explorer extrinsic tx' },
    {
      label: 'Snapshot, restore, reset, move the clock',
      words: 'day jump roll time travel finality undo back revert rewind genesis',
      place: ['control'],
      needs: 'dev_snapshot',
    },
    { label: 'Fork the chain: open a block and build on it', words: 'branch reorg', needs: 'dev_newBlock' },
    {
      label: 'View epochs, voters and rounds',
      words: 'consensus babe grandpa finality finalized slots authorities validators',
      place: ['epoch'],
    },
  ],
};
