export const panel = { name: 'live' };
