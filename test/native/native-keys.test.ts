import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyInspect } from '../../bridge/key/inspect.ts';
import { runKey } from '../../bridge/key/key.fixture.ts';
import { fixturePath } from '../rigs/fixtures.ts';
import addresses from '../vectors/addresses.json' with { type: 'json' };
import uris from '../vectors/secret-uris.json' with { type: 'json' };
import { hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';

type Inspected = { readonly publicKey: string | null; readonly seed: string | null };
const refused: Inspected = { publicKey: null, seed: null };

const toInspected = (output: string): Inspected => {
  if (!output.startsWith('{')) return refused;
  const { publicKey, secretSeed } = JSON.parse(output) as { publicKey: string; secretSeed: string };
  return { publicKey, seed: secretSeed === 'n/a' ? null : secretSeed };
};
const flags = ['--output-type', 'json', '--'] as const;

/** The SDK reads the English word list only. */
const isJapanese = ({ uri }: { readonly uri: string }): boolean => /\p{Script=Hiragana}/u.test(uri);

it.each(uris.filter((one) => !isJapanese(one)))(
  'tabnode key inspect: $uri',
  async ({ uri, publicKey, seed }) => {
    const output = await runKey(keyInspect, [...flags, uri]).then(
      ({ stdout }) => stdout,
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'BadKey' });
        return '';
      },
    );
    expect(toInspected(output)).toEqual({ publicKey, seed });
  },
);

it('tabnode key inspect reads phrases of other word lists, which the SDK refuses', async () => {
  const [phrase] = uris.filter(isJapanese);
  const { stdout } = await runKey(keyInspect, [...flags, phrase?.uri ?? '']);
  expect(phrase).toMatchObject(refused);
  expect(toInspected(stdout).publicKey).toMatch(/^0x/);
});

describe.skipIf(!hasNativeNode)(
  'the recorded answers are those of the native node (shared native-node)',
  () => {
    let native: NativeNode;
    beforeAll(async () => {
      native = await unpackNativeNode();
    }, 60_000);
    afterAll(() => native.close());

    it('of key inspect', async () => {
      for (const { uri, publicKey, seed } of uris) {
        const output = await native.command('key', 'inspect', ...flags, uri);
        expect([uri, toInspected(output)]).toEqual([uri, { publicKey, seed }]);
      }
    }, 120_000);

    it('of system_accountNextIndex', async () => {
      const node = await native.serve('--chain', fixturePath('sdk-node/spec.json'), '--tmp');
      await expect.poll(node.isUp, { timeout: 60_000 }).toBe(true);
      for (const { name, address, refused: why } of addresses) {
        const given = await node.call('system_accountNextIndex', address).then(
          () => null,
          (error: Error) =>
            (JSON.parse(error.message.slice(error.message.indexOf('{'))) as { data: string }).data,
        );
        expect([name, given]).toEqual([name, why]);
      }
      await node.stop();
    }, 120_000);
  },
);
