import type { BridgePass, SharedClient, ShareOptions, ShareState } from '../../../src/bridge/keep-shared.ts';

type Options = Parameters<ShareOptions['openPort']>[0];

/** Messages from the page to its relay. */
export type ToRelay =
  | ({ readonly word: 'start'; readonly unsafe: boolean } & Pick<
      ShareOptions,
      'pass' | 'name' | 'genesisHash' | 'tab'
    >)
  | { readonly word: 'agreed'; readonly agreed: boolean }
  /** Responds to `open` with a port; null if none could be opened. */
  | { readonly word: 'port'; readonly id: number; readonly port: MessagePort | null }
  | { readonly word: 'unsafe'; readonly unsafe: boolean }
  | { readonly word: 'disconnect'; readonly id: number | undefined }
  | { readonly word: 'close'; readonly forget: boolean };

/** Messages from the relay to the page. */
export type FromRelay =
  | { readonly word: 'agree'; readonly acceptFirst: boolean }
  | { readonly word: 'open'; readonly id: number; readonly options: Options }
  | { readonly word: 'keep'; readonly pass: BridgePass | null }
  | { readonly word: 'state'; readonly state: ShareState }
  | { readonly word: 'clients'; readonly clients: readonly SharedClient[] };
