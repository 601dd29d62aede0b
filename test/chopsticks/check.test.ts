import { expect, it } from 'vitest';
import { setupCheck, withExpect } from '../../src/testing/chopsticks.ts';

// The expected values are those of chopsticks' testing package 1.5.1 for the same inputs.

const { check, checkHex, checkEvents } = withExpect(expect as never);

it.each([
  [12_345, '(rounded 12000)'],
  [12_000, 12_000],
  ['1,234,567', '(rounded 1200000)'],
  ['-15', -15],
  ['0x00000000000000000000000000003039', '(rounded 12000)'],
  [`0x${'ab'.repeat(32)}`, '(hash)'],
  ['0xabcd', '0xabcd'],
  ['text 12', 'text 12'],
  [null, null],
  [true, true],
])('redacts %j to two digits', async (value, wanted) => {
  expect(await check({ value }).redact().value()).toEqual({ value: wanted });
});

it('redacts hex, addresses and keys as asked', async () => {
  const value = {
    hex: '0xabcd',
    address: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
    secret: 1,
    gone: 2,
    kept: 123,
    other: { number: 123 },
    list: [123, { deep: 123 }],
  };
  const options = {
    number: true,
    hex: true,
    address: true,
    redactKeys: /^secret$/,
    removeKeys: /^gone$/,
    noRedactKeys: /^kept$/,
    overrides: { other: { number: 1 } },
  };
  expect(await check(value).redact(options).value()).toEqual({
    hex: '(hex)',
    address: '(address)',
    secret: '(redacted)',
    kept: 123,
    other: { number: '(rounded 100)' },
    list: ['(number)', { deep: '(number)' }],
  });
  expect(await check(value).redact().redact({ noRedact: true }).value()).toEqual(value);
});

const codec = (name: string) => ({
  toJSON: () => `${name} json`,
  toHuman: () => `${name} human`,
  toHex: () => `${name} hex`,
});

it('formats a value or each of a list, and passes it through steps and checks in order', async () => {
  expect(await check(codec('a')).value()).toBe('a json');
  expect(
    await check(Promise.resolve([codec('a'), codec('b')]))
      .toHuman()
      .value(),
  ).toEqual(['a human', 'b human']);
  expect(await checkHex(codec('a')).value()).toBe('a hex');
  const seen: unknown[] = [];
  const result = await check(codec('a'))
    .map((text: string) => `${text}!`)
    .check((value) => void seen.push(value))
    .pipe((checker) => checker.map((text: string) => text.length))
    .value();
  expect([result, seen]).toEqual([7, [7]]);
});

it('keeps the events that pass one of the filters, without their index', async () => {
  const record = (section: string, method: string) => ({
    toHuman: () => ({ phase: {}, event: { index: '0x0000', section, method, data: { amount: '1,234' } } }),
  });
  const events = Promise.resolve([record('a', 'One'), record('a', 'Two'), record('b', 'One')]);
  expect(await checkEvents({ events }).value()).toHaveLength(3);
  expect(await checkEvents({ events }, 'b', { section: 'a', method: 'Two' }).value()).toEqual([
    { section: 'a', method: 'Two', data: { amount: '(rounded 1200)' } },
    { section: 'b', method: 'One', data: { amount: '(rounded 1200)' } },
  ]);
});

it('gives the message to the assertion, and takes a checker for another check', async () => {
  const called: unknown[] = [];
  const expectFn = (value: unknown) => ({
    toMatchSnapshot: (message?: string) => void called.push([value, message]),
    toMatch: () => undefined,
    toMatchObject: () => undefined,
  });
  const own = setupCheck({
    expectFn,
    redactOptions: { number: true },
    extraCheck: (value) => void called.push(value),
  });
  await own.check(own.check(5, 'first'), 'second').toMatchSnapshot();
  await own.check(5, 'first').toMatchSnapshot('own');
  expect(called).toEqual(['(number)', '(number)', ['(number)', 'second'], '(number)', ['(number)', 'own']]);
});
