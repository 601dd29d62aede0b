import { databaseCompliance } from './compliance.ts';
import { createMemoryDatabase } from './memory.ts';

databaseCompliance('memory', { open: async () => createMemoryDatabase() });
