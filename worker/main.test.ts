import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('serves the page once, even if its script is evaluated twice', async () => {
  const listen = vi.fn();
  vi.stubGlobal('addEventListener', listen);
  vi.stubGlobal('reportError', vi.fn());
  vi.stubGlobal('tabnodeServed', undefined);
  await import('./main.ts');
  vi.resetModules();
  await import('./main.ts');
  expect(listen.mock.calls.filter(([type]) => type === 'message')).toHaveLength(1);
});
