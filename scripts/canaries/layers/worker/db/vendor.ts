import { x25519 } from '@noble/curves/ed25519.js';

export const curve = x25519;
