import { spawn } from 'node:child_process';

const commands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // The first argument of `start` is the title of a window.
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens an address in the user's browser. Nothing happens where there is none. */
export const openInBrowser = (address: string): void => {
  const [command, ...first] = commands[process.platform] ?? ['xdg-open'];
  // `&` separates commands of cmd.
  const given = process.platform === 'win32' ? address.replaceAll('&', '^&') : address;
  const child = spawn(command, [...first, given], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
};
