import type { Server } from '../rpc/server.ts';

export const server: Server | null = null;
