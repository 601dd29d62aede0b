// `npm start`: installs what is missing, builds the page and serves the built page on a fixed port of its own.
import { bootstrap, run } from './bootstrap.mjs';
import { build } from './build.mjs';

const host = '127.0.0.1';
const port = 5199;

await bootstrap({ chromium: false });
const code = await build(['app']);
if (code !== 0) process.exit(code);
console.log(`Tabnode: http://${host}:${port}/ (stop with Ctrl+C)`);
// Ctrl+C reaches vite by itself, a signal to this process alone does not.
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
process.exitCode = await run(
  'vite',
  ['preview', '--host', host, '--port', `${port}`, '--strictPort', '--logLevel', 'warn'],
  { signal: stop.signal },
);
