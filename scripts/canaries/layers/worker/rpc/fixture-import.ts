import { parts } from './parts.fixture.ts';

export const used = parts;
