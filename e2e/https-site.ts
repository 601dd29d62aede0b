import { fileURLToPath } from 'node:url';
// biome-ignore lint/correctness/useImportExtensions: its types are beside it
import { testOptions } from '../scripts/chromium.mjs';

/** The host name of a site on this computer that browsers treat like any other site. */
export const siteHost = 'tabnode.test';

/** The built page. */
export const sitePage = fileURLToPath(new URL('../dist/e2e-app', import.meta.url));

/** For `test.use`: a browser that finds the site and takes its self-signed certificate. */
export const siteOptions = async () => {
  const { args, ...options } = await testOptions();
  return {
    ignoreHTTPSErrors: true,
    launchOptions: {
      ...options,
      // Of a host whose certificate it does not trust, Chromium loads no service worker.
      args: [...args, '--ignore-certificate-errors', `--host-resolver-rules=MAP ${siteHost} 127.0.0.1`],
    },
  };
};
