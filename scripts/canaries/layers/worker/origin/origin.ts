export const createOrigin = (): string => 'a live chain';
