import { describe, expect, it } from 'vitest';
import { findResets, scriptsOf } from './resets.ts';

/** A function of a module with state; its code has no statement on the first line. */
const inModule = (code: string): string =>
  `let busy = false; let owner = null; let count = 0; const held = new Set(); const self = {};
   export const run = async (work, key, entry) => {
     ${code}
   };`;
const targetsIn = (code: string): readonly string[] => findResets(inModule(code)).map(({ target }) => target);

describe('state that stays set if what is waited for throws', () => {
  const cases = {
    busy: {
      'a variable of the module': 'busy = true; await work(); busy = false;',
      'in a try with a later reset': 'try { busy = true; await work(); busy = false; } catch { log(); }',
      'in a branch': 'if (key) busy = true; await work(); if (key) { busy = false; }',
      'a catch that throws': 'busy = true; try { await work(); } catch (e) { throw e; } busy = false;',
      'in a loop': 'for (const one of key) { busy = true; await one(); busy = false; }',
      'an iteration': 'busy = true; for await (const one of work()) use(one); busy = false;',
      'a callback': 'busy = true; return work().then(() => { busy = false; });',
      'a caught callback': 'busy = true; work().then(() => { busy = false; }).catch(log);',
      'an inner function': 'on(async () => { busy = true; await work(); busy = false; });',
    },
    'self.busy': {
      'a property': 'self.busy = true; await work(); self.busy = false;',
    },
    'entry.busy': {
      'of a parameter': 'entry.busy = true; await work(); entry.busy = false;',
    },
    'one.on': {
      'of a value found': 'const one = find(key); one.on = 1; await work(); one.on = 0;',
    },
    owner: {
      'an owner': 'owner = key; await work(); owner = null;',
      'its previous value': 'const before = owner; owner = key; await work(); owner = before;',
    },
    count: {
      'a count': 'count += 1; await work(); count -= 1;',
      'a count, written differently': 'count++; await work(); --count;',
    },
    'held[key]': {
      'a member of a set': 'held.add(key); await work(); held.delete(key);',
    },
  };
  const list = Object.entries(cases).flatMap(([target, codes]) =>
    Object.entries(codes).map(([name, code]) => [name, code, target] as const),
  );
  it.each(list)('%s', (_, code, target) => {
    expect(targetsIn(code)).toEqual([target]);
  });

  it.each([
    ['finally', 'busy = true; try { await work(); } finally { busy = false; }'],
    [
      'an outer finally',
      'busy = true; try { if (key) await work(); busy = false; } finally { busy = false; }',
    ],
    ['the promise', 'busy = true; await work().finally(() => { busy = false; });'],
    ['a callback for both', 'busy = true; work().then(() => { busy = false; }, () => { busy = false; });'],
    ['the chain', 'busy = true; work().then(() => { busy = false; }).catch(() => { busy = false; });'],
    ['a caught error', 'busy = true; try { await work(); } catch { log(); } busy = false;'],
    ['a caught promise', 'busy = true; await work().catch(log); busy = false;'],
    ['catch', 'busy = true; try { await work(); busy = false; } catch { busy = false; }'],
    ['a wait that cannot fail', 'busy = true; await new Promise((done) => setTimeout(done)); busy = false;'],
    ['no wait in between', 'await work(); busy = true; use(); busy = false; await work();'],
    ['a wait in another branch', 'busy = true; if (key) { await work(); return; } busy = false;'],
    ['another branch', 'if (key) { busy = true; await work(); } else { busy = false; }'],
    ['no reset', 'busy = true; await work(); busy = work;'],
    ['readiness', 'busy = false; await work(); busy = true;'],
    ['a variable of its own', 'let mine = false; mine = true; await work(); mine = false;'],
    ['a value that it has made', 'const one = { on: 0 }; one.on = 1; await work(); one.on = 0;'],
    ['another member', 'held.add(key); await work(); held.delete(entry);'],
    ['another count', 'count += 1; await work(); count -= key;'],
  ])('is not what this is: %s', (_, code) => {
    expect(targetsIn(code)).toEqual([]);
  });

  it('is named with its lines, also in a component', () => {
    const code = 'busy = true;\nawait work();\nbusy = false;';
    const lines = { target: 'busy', setLine: 3, waitLine: 4, resetLine: 5 };
    expect(findResets(inModule(code))).toEqual([lines]);
    const component = `<p>${'\n'.repeat(9)}</p><script module>${inModule(code)}</script>\n<script>${inModule(code)}</script>`;
    const found = findResets(scriptsOf('Some.svelte', component));
    expect(found.map(({ resetLine }) => resetLine)).toEqual([14, 20]);
  });
});
