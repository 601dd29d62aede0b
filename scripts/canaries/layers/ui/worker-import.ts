import { server } from '../worker/bytes/upward.ts';

export const used = server;
