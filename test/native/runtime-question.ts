import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { Crypto } from '../../worker/crypto/crypto.ts';
import { unpackCode } from '../../worker/executor/code-blob.ts';
import { createLeb, encodeLeb } from '../../worker/executor/leb.ts';
import { parseModule, readModule } from '../../worker/executor/module-parse.ts';
import type { NativeNode } from './native-rig.ts';

const versionFunction = 'ext_misc_runtime_version_version_1';
/** The export that `withQuestion` adds. */
export const questionExport = 'test_runtime_version';

/**
 * A runtime with one more export, which takes its whole input as a code blob and returns the result of
 * `ext_misc_runtime_version` for it: a SCALE `Option<Vec<u8>>`.
 */
export const withQuestion = (code: Uint8Array, crypto: Crypto): Uint8Array => {
  const bytes = unpackCode(code, crypto.unzstd);
  const { sections, imports } = parseModule(readModule(bytes, crypto));
  const functions = imports.filter(({ kind }) => kind === 'func');
  const called = functions.findIndex(({ name }) => name === versionFunction);
  const count = (id: number): number => {
    const section = sections.find((candidate) => candidate.id === id);
    return section === undefined ? 0 : createLeb(bytes, section.start).u32();
  };
  // pointer | length << 32, as i64.
  const code32 = [0x20, 1, 0xad, 0x42, 32, 0x86, 0x20, 0, 0xad, 0x84, 0x10, ...encodeLeb(called), 0x0b];
  const body = [...encodeLeb(code32.length + 1), 0, ...code32];
  const name = textToBytes(questionExport);
  const added: Readonly<Record<number, readonly number[]>> = {
    1: [0x60, 2, 0x7f, 0x7f, 1, 0x7e],
    3: encodeLeb(count(1)),
    7: [...encodeLeb(name.length), ...name, 0, ...encodeLeb(functions.length + count(3))],
    10: body,
  };
  const parts = sections.map(({ id, start, end, name: custom }) => {
    const more = added[id];
    const own = bytes.subarray(start, end);
    const title = id === 0 ? [...encodeLeb(textToBytes(custom).length), ...textToBytes(custom)] : [];
    const rest = more === undefined ? own : own.subarray(encodeLeb(count(id)).length);
    const head = more === undefined ? title : encodeLeb(count(id) + 1);
    const content = concatBytes(Uint8Array.from(head), rest, Uint8Array.from(more ?? []));
    return concatBytes(Uint8Array.from([id, ...encodeLeb(content.length)]), content);
  });
  return concatBytes(bytes.subarray(0, 8), ...parts);
};

/** Starts a native node with such a runtime. `ask` returns what it says of a code blob, in hex. */
export const startQuestions = async (native: NativeNode, code: Uint8Array, crypto: Crypto) => {
  const runtime = native.write('question.wasm', withQuestion(code, crypto));
  const spec = native.write('question.json', '');
  await native.command('build-spec', '--runtime', runtime, '--raw', '--output', spec);
  const key = '0000000000000000000000000000000000000000000000000000000000000001';
  const node = await native.serve('--chain', spec, '--tmp', '--alice', '--seal', 'manual', '--node-key', key);
  while (!(await node.isUp())) await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    ask: (blob: Uint8Array) => node.call<string>('state_call', questionExport, bytesToHex(blob)),
    stop: node.stop,
  };
};
