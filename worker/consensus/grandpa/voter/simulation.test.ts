import { expect, test } from 'vitest';
import { createRandom } from '../../../../test/rigs/random.ts';
import type { Evil } from './evil.fixture.ts';
import { loadMachineModule } from './machine.ts';
import { type Outcome, type Setting, simulate } from './simulation.fixture.ts';

/** GRANDPA_SEEDS=2000 runs the long form. */
const seeds = Number(process.env['GRANDPA_SEEDS'] ?? 100);
const kinds: readonly Evil[] = ['equivocates', 'silent', 'lies'];

/** Up to seven voters, of whom fewer than a third misbehave. */
const settingOf = (seed: number): Setting => {
  const random = createRandom(seed ^ 0x5eed);
  const voters = 1 + Math.floor(random() * 7);
  const bad = Math.floor(random() * (Math.floor((voters - 1) / 3) + 1));
  const evil = Array.from({ length: bad }, () => kinds[Math.floor(random() * kinds.length)] as Evil);
  return { voters, evil };
};

const run = async (count: number, choose: (seed: number) => Setting) => {
  const module = await loadMachineModule();
  const failures: { seed: number; setting: Setting; outcome: Outcome }[] = [];
  let crashes = 0;
  for (let seed = 1; seed <= count; seed++) {
    const setting = choose(seed);
    const outcome = await simulate(module, seed, setting);
    crashes += outcome.crashes;
    if (outcome.violations.length > 0 || !outcome.hasProgress) failures.push({ seed, setting, outcome });
  }
  return { failures, crashes };
};

test(`${seeds} worlds: no conflict, no double vote, progress once healed`, {
  timeout: 3_600_000,
}, async () => {
  const { failures, crashes } = await run(seeds, settingOf);
  expect(failures).toEqual([]);
  expect(crashes).toBeGreaterThan(seeds);
});

test('voters that do not check signatures are found: they finalize what a liar wants', {
  timeout: 120_000,
}, async () => {
  const { failures } = await run(10, () => ({
    voters: 4,
    evil: ['lies'],
    altered: 'trusts-signatures',
  }));
  expect(failures.flatMap(({ outcome }) => outcome.violations).join()).toMatch(/two final blocks/);
});

test('a voter that forgets its votes in a crash is found', { timeout: 120_000 }, async () => {
  const { failures } = await run(10, () => ({ voters: 4, evil: [], altered: 'forgets-votes' }));
  expect(failures.flatMap(({ outcome }) => outcome.violations).join()).toMatch(/double vote/);
});

test('voters that vote for the newest block, whatever the last round has settled, are found', {
  timeout: 120_000,
}, async () => {
  const { failures } = await run(10, () => ({ voters: 4, evil: [], altered: 'ignores-base' }));
  expect(failures.length).toBeGreaterThan(2);
});

test('a third vote of an equivocator counts if the two before are below the base of a round', async () => {
  const module = await loadMachineModule();
  const outcome = await simulate(module, 37, { voters: 7, evil: ['equivocates', 'silent'] });
  expect(outcome).toMatchObject({ hasProgress: true, violations: [] });
});

test('a peer that says it is ahead, and never replies, holds no voter up', async () => {
  const module = await loadMachineModule();
  const outcome = await simulate(module, 940, { voters: 5, evil: ['lies'] });
  expect(outcome).toMatchObject({ hasProgress: true, violations: [] });
});
