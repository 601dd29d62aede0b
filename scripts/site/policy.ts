import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageHeaders } from '../../bridge/pages/page-server.ts';

/** Scripts in the text of a page, which VitePress needs before its own code: the theme, and the names of its files. */
const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs;

/** The policy of a page of the guide: its own files, and the inline scripts that it has now. Code is colored by `style`. */
const policyOf = (html: string): string => {
  const hashes = [...html.matchAll(inlineScript)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...new Set(hashes)].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
};

/** Puts a policy into each page below `folder`, so that it holds on any host. */
export const addPolicies = (folder: string): void => {
  const names = readdirSync(folder, { recursive: true }).map(String);
  for (const name of names.filter((one) => one.endsWith('.html'))) {
    const file = join(folder, name);
    const html = readFileSync(file, 'utf8');
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">`;
    writeFileSync(file, html.replace('<head>', `<head>\n    ${meta}`));
  }
};

/**
 * The headers of the site, in the form that several static hosts read (`_headers`). The devtools may reach every node over TLS
 * and those of this machine, because a static host does not know which one the URL names.
 */
export const hostHeaders = (base: string): string => {
  const app = pageHeaders(new URLSearchParams(), '/');
  const policy = app['Content-Security-Policy']?.replace("connect-src 'self'", "connect-src 'self' wss:");
  const lasting = '  Cache-Control: public, max-age=31536000, immutable';
  const others = Object.entries(app).filter(([name]) => name !== 'Content-Security-Policy');
  return [
    `${base}*`,
    ...others.map(([name, value]) => `  ${name}: ${value}`),
    `${base}app/*`,
    `  Content-Security-Policy: ${policy}`,
    `${base}assets/*`,
    lasting,
    `${base}app/assets/*`,
    lasting,
    '',
  ].join('\n');
};
