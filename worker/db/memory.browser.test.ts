import { databaseCompliance } from './compliance.ts';
import { createMemoryDatabase, createMemoryEngine } from './memory.ts';
import { proofCompliance } from './proof-compliance.ts';

databaseCompliance('memory', { open: async () => createMemoryDatabase() });
proofCompliance('memory', async () => createMemoryEngine());
