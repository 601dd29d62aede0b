import type { PanelInfo } from '../../kit/page/panel.ts';

export const panel: PanelInfo = {
  id: 'runtime',
  label: 'Runtime',
  key: '6',
  icon: 'M5 5h6v6H5zM6.5 5V2.5M9.5 5V2.5M6.5 13.5V11M9.5 13.5V11M5 6.5H2.5M5 9.5H2.5M13.5 6.5H11M13.5 9.5H11',
  hint: 'version, pallets, APIs, docs, log',
  pages: [
    { id: 'overview', label: 'Version' },
    { id: 'pallets', label: 'Pallets' },
    { id: 'apis', label: 'APIs' },
    { id: 'types', label: 'Types' },
    { id: 'decode', label: 'Decode' },
    { id: 'module', label: 'Module', needs: 'dev_runtimeInfo' },
    { id: 'rehearse', label: 'Rehearse', needs: 'dev_subscribeRehearsal' },
    { id: 'logs', label: 'Log', needs: 'dev_subscribeLogs' },
  ],
  commands: [
    {
      label: 'Browse the metadata: pallets, calls, errors, docs',
      words: 'constants modules',
      place: ['pallets'],
    },
    { label: 'Call a runtime API', words: 'state_call function', place: ['apis'] },
    { label: 'Decode bytes', words: 'scale hex encode', place: ['decode'] },
    {
      label: 'Rehearse an upgrade',
      words: 'try-runtime migration on_runtime_upgrade wasm test dry run weight',
      place: ['rehearse'],
    },
    { label: 'Read the log of the runtime', words: 'logs print debug console', place: ['logs'] },
  ],
};
