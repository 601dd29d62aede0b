import { spawn } from 'node:child_process';

const commands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // The first argument of `start` is a window title.
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens an address in the user's browser. Does nothing if there is none. */
export const openInBrowser = (address: string): void => {
  const [command, ...first] = commands[process.platform] ?? ['xdg-open'];
  // cmd.exe treats `&` as a command separator.
  const given = process.platform === 'win32' ? address.replaceAll('&', '^&') : address;
  const child = spawn(command, [...first, given], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
};
