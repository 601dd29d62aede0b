import { MetadataOfBlocks } from '../node/metadata.svelte.ts';
import { Sent } from '../node/tx/sent.svelte.ts';
import { Signers } from '../node/tx/signers.svelte.ts';
import { openContext } from './open-page.ts';
import { useRealNode } from './real-node.ts';

/** Opens contexts over a real node, with the props of the pages that send; `change` may respond in its place. */
export const useSend = () => {
  const real = useRealNode();
  const signers = new Signers();
  const openSend = (change: Parameters<typeof openContext>[0] = () => undefined) => {
    const opened = openContext((method, params) => change(method, params) ?? real.request(method, params));
    const { node } = opened.context;
    const sent = new Sent(node, new MetadataOfBlocks(node));
    return { ...opened, props: { meta: real.meta, sent, signers } };
  };
  return { real, openSend, signers };
};

export const field = (page: HTMLElement, label: string) => page.querySelector(`[aria-label="${label}"]`);

/** The button that sends: of a transaction that is known to fail, it says so. */
export const sends = /^\s*(Sign and send|Send anyway)/;

export const sendButton = (page: HTMLElement) =>
  [...page.querySelectorAll('button')].find(({ textContent }) => sends.test(textContent));
