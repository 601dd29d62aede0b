import { minify } from 'terser';
import type { Plugin } from 'vite';

/** A second pass over code that the bundler has minified: about 1 % less to download, for some seconds of a build. */
export const smallerCode: Plugin = {
  name: 'tabnode:smaller-code',
  enforce: 'post',
  generateBundle: async (_options, bundle) => {
    const options = {
      module: true,
      ecma: 2020,
      compress: { passes: 6, keep_fargs: false, unsafe_arrows: true },
    } as const;
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') file.code = (await minify(file.code, options)).code ?? file.code;
  },
};
