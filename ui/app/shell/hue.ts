import { currentFrame } from '../../kit/page/frame.ts';

const hues = 140;
const numberOf = (hash: string): number => Number.parseInt(hash.slice(2, 6), 16);

/**
 * Sets the accent color of the page from the genesis hash, so that chains are easy to tell apart. A fork, which has the genesis
 * of its live chain, also follows its base: its color is far from that of the live chain. Green, amber and red hues are reserved
 * for states.
 */
export const paintChain = (genesisHash: string, baseHash: string | null = null): void => {
  const turn = baseHash === null ? 0 : 40 + (numberOf(baseHash) % 61);
  const hue = 195 + ((numberOf(genesisHash) + turn) % hues);
  currentFrame().host.style.setProperty('--hue', String(hue));
};
