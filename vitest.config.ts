import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'node', environment: 'node', include: ['{src,worker,bridge,scripts,test}/**/*.test.ts'] } },
    ],
  },
});
