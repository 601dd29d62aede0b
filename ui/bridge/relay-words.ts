import type { BridgePass, SharedClient, ShareOptions, ShareState } from '../../src/bridge/keep-shared.ts';

type Options = Parameters<ShareOptions['openPort']>[0];

/** What the page tells its relay. */
export type ToRelay =
  | ({ readonly word: 'start'; readonly unsafe: boolean } & Pick<
      ShareOptions,
      'pass' | 'name' | 'genesisHash' | 'tab'
    >)
  | { readonly word: 'agreed'; readonly agreed: boolean }
  /** The port of a question; null if there is none. */
  | { readonly word: 'port'; readonly id: number; readonly port: MessagePort | null }
  | { readonly word: 'unsafe'; readonly unsafe: boolean }
  | { readonly word: 'disconnect'; readonly id: number | undefined }
  | { readonly word: 'close'; readonly forget: boolean };

/** What the relay asks and tells the page. */
export type FromRelay =
  | { readonly word: 'agree'; readonly acceptFirst: boolean }
  | { readonly word: 'open'; readonly id: number; readonly options: Options }
  | { readonly word: 'keep'; readonly pass: BridgePass | null }
  | { readonly word: 'state'; readonly state: ShareState }
  | { readonly word: 'clients'; readonly clients: readonly SharedClient[] };
