// Assembles worker/executor/allocator/allocator.wat and writes allocator-code.ts beside it.
//   node scripts/build-allocator.mjs
// wasm-opt (binaryen) must be in PATH. The module is a text in a script, because a start would wait for another file.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './build-modules.mjs';

const folder = fileURLToPath(new URL('../worker/executor/allocator/', import.meta.url));
const text = join(folder, 'allocator.wat');

/** SHA-256 of the text. */
export const hashText = () => createHash('sha256').update(readFileSync(text)).digest('hex');

/** The lines of the file that is written. */
const linesOf = (hex) => [
  `// Written by scripts/build-allocator.mjs from allocator.wat, whose SHA-256 is`,
  `// ${hashText()}.`,
  '',
  '/** A WebAssembly module, as hex. */',
  'export const allocatorCode =',
  `  '${hex}';`,
  '',
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const work = mkdtempSync(join(tmpdir(), 'tabnode-allocator-'));
  try {
    const module = join(work, 'allocator.wasm');
    run('wasm-opt', [text, '--mvp-features', '--enable-mutable-globals', '-O4', '-o', module]);
    const bytes = readFileSync(module);
    writeFileSync(join(folder, 'allocator-code.ts'), linesOf(bytes.toString('hex')).join('\n'));
    process.stdout.write(`worker/executor/allocator/allocator-code.ts: ${bytes.length} bytes\n`);
  } finally {
    rmSync(work, { recursive: true });
  }
}
