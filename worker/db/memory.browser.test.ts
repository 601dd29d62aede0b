import { databaseCompliance } from './compliance.fixture.ts';
import { createMemoryDatabase, createMemoryEngine } from './memory.ts';
import { proofCompliance } from './proof-compliance.fixture.ts';

databaseCompliance('memory', { open: async () => createMemoryDatabase() });
proofCompliance('memory', async () => createMemoryEngine());
