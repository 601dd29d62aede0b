import { currentFrame } from '../../kit/page/frame.ts';

/**
 * Sets the accent color of the page from the genesis hash, so that chains are easy to tell apart. Green,
 * amber and red hues are reserved for states.
 */
export const paintChain = (genesisHash: string): void => {
  const hue = 195 + (Number.parseInt(genesisHash.slice(2, 6), 16) % 140);
  currentFrame().host.style.setProperty('--hue', String(hue));
};
