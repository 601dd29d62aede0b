import type { Browser, Page } from 'playwright';
import { measureFloods } from '../devtools/flood.ts';
import { measureForkHere } from '../devtools/fork-here.ts';
import { measureImports } from '../devtools/import.ts';
import { measureMap } from '../devtools/map.ts';
import { type Server, serveApp, serveEmbedded } from '../devtools/serve.ts';
import { measureStart } from '../devtools/start.ts';
import type { Bench, Line } from '../figure.ts';
import { measureServed } from '../served-page.ts';

const onPage = (
  name: string,
  about: string,
  serve: () => Promise<Server>,
  measure: (browser: Browser, url: string) => Promise<Line[]>,
): Bench => ({
  name: `devtools-${name}`,
  about: `${about}; in a headless Chromium`,
  run: () => measureServed(serve, measure),
});

const fresh = (browser: Browser) => async (): Promise<Page> => (await browser.newContext()).newPage();

export const devtools: readonly Bench[] = [
  onPage('start', 'first paint and the first answer of the built page', serveApp, measureStart),
  onPage('live', 'frames while 1,000 messages a second come', serveApp, (browser, url) =>
    measureFloods(fresh(browser), url),
  ),
  onPage(
    'storage',
    'a map of 100,000 keys: first page, reading, scrolling; an edit',
    serveApp,
    (browser, url) => measureMap(fresh(browser), url),
  ),
  onPage('fork', 'a block of a node far away is forked in the page', serveApp, measureForkHere),
  onPage('import', 'import of blocks with the devtools open, against closed', serveEmbedded, measureImports),
];
