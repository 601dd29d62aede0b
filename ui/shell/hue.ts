import { currentFrame } from '../state/frame.ts';

/** Gives the page the accent of its chain, from the genesis hash: two chains never look alike. Greens, ambers and reds stay free for states. */
export const paintChain = (genesisHash: string): void => {
  const hue = 195 + (Number.parseInt(genesisHash.slice(2, 6), 16) % 140);
  currentFrame().host.style.setProperty('--hue', String(hue));
};
