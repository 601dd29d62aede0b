import { createOrigin } from '../origin/origin.ts';

export const used = createOrigin;
