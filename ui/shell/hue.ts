/** Gives the page the accent of its chain, from the genesis hash: two chains never look alike. */
export const paintChain = (genesisHash: string): void => {
  const hue = Number.parseInt(genesisHash.slice(2, 6), 16) % 360;
  document.documentElement.style.setProperty('--hue', String(hue));
};
