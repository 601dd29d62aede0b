export const parts = { name: 'a stand-in' };
