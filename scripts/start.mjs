// `npm start`: installs what is missing, builds the page and serves it on a fixed port.
import { bootstrap, run } from './bootstrap.mjs';
import { build } from './build.mjs';

const host = '127.0.0.1';
const port = 5199;

await bootstrap({ chromium: false });
const code = await build(['app']);
if (code !== 0) process.exit(code);
console.log(`Tabnode: http://${host}:${port}/ (stop with Ctrl+C)`);
// Ctrl+C also reaches vite; a signal to this process does not.
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
process.exitCode = await run(
  'vite',
  ['preview', '--host', host, '--port', `${port}`, '--strictPort', '--logLevel', 'warn'],
  { signal: stop.signal },
);
