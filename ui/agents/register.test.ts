import { expect, it } from 'vitest';
import type { ModelContext, ModelContextTool } from './model-context.ts';
import { registerTools } from './register.ts';

const toolOf = (name: string): ModelContextTool => ({
  name,
  title: name,
  description: name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  execute: async () => name,
});
const two = [toolOf('one'), toolOf('two')];
const duplicate = (): DOMException => new DOMException('registered already', 'InvalidStateError');

/** `document.modelContext` of the draft of June 2026. */
const current = () => {
  const names = new Set<string>();
  const model: ModelContext = {
    registerTool: async ({ name }: ModelContextTool, { signal } = {}) => {
      if (names.has(name)) throw duplicate();
      names.add(name);
      signal?.addEventListener('abort', () => names.delete(name), { once: true });
    },
  };
  return { model, names };
};

/** `navigator.modelContext`, February to May 2026. */
const earlier = () => {
  const names = new Set<string>();
  const model: ModelContext = {
    registerTool: ({ name }: ModelContextTool) => {
      if (names.has(name)) throw duplicate();
      names.add(name);
    },
    unregisterTool: (name) => {
      if (!names.delete(name)) throw duplicate();
    },
    provideContext: () => {
      throw new Error('it would replace the tools of others');
    },
  };
  return { model, names };
};

/** The first drafts, in which a page has a single list of tools. */
const first = () => {
  const names = new Set<string>();
  const model: ModelContext = {
    provideContext: ({ tools }) => {
      names.clear();
      for (const { name } of tools) names.add(name);
    },
  };
  return { model, names };
};

it.each([
  ['the current draft', current],
  ['a draft with unregisterTool', earlier],
  ['a draft with provideContext', first],
])('registers with %s until the signal is aborted, and can register again', async (_name, create) => {
  const { model, names } = create();
  for (let turn = 0; turn < 2; turn += 1) {
    const offer = new AbortController();
    await registerTools(model, two, offer.signal);
    expect([...names]).toEqual(['one', 'two']);
    offer.abort();
    expect([...names]).toEqual([]);
  }
});

it.each([
  ['the current draft', current],
  ['a draft with unregisterTool', earlier],
])('leaves no tool registered if one is refused: %s', async (_name, create) => {
  const { model, names } = create();
  const again = registerTools(model, [...two, toolOf('one')], new AbortController().signal);
  await expect(again).rejects.toThrow('registered already');
  expect([...names]).toEqual([]);
});

it('leaves no tool registered when aborted midway, and registers none afterwards', async () => {
  const { model, names } = current();
  const offer = new AbortController();
  const registering = registerTools(model, two, offer.signal);
  offer.abort(new Error('closed'));
  await expect(registering).rejects.toThrow('closed');
  await expect(registerTools(model, two, offer.signal)).rejects.toThrow('closed');
  expect([...names]).toEqual([]);
});

it('rejects if the API has no way to register tools', async () => {
  await expect(registerTools({}, two, new AbortController().signal)).rejects.toThrow('cannot register tools');
});
