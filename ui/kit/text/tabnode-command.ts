declare global {
  interface ImportMetaEnv {
    readonly VITE_PACKAGED?: string;
  }
}

/** Whether the page was built for the npm package, whose folder has the command (scripts/build.mjs). */
const isPackaged = import.meta.env.VITE_PACKAGED === '1';

const isLocal = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** How the command is run, and where that works, to be said before it; '' for the folder that the page comes from. */
export type TabnodeCommand = { readonly text: string; readonly where: string };

/**
 * The `tabnode` command with these arguments, as it works where the page comes from: a clone, in which `npm start` built
 * it, or an installed package. A host has none, so there it is that of a clone.
 */
export const tabnodeCommand = (
  args: string,
  hostname = globalThis.location?.hostname ?? 'localhost',
  packaged = isPackaged,
): TabnodeCommand => {
  if (isLocal(hostname) && packaged) return { text: `npx tabnode ${args}`, where: '' };
  return {
    text: `npm run tabnode -- ${args}`,
    where: isLocal(hostname) ? '' : 'in a clone of Tabnode, after npm install: ',
  };
};
