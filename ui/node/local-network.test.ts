import { describe, expect, it } from 'vitest';
import { obstacleFor } from './local-network.ts';

const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15';
const chromium =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const site = { protocol: 'https:', hostname: 'tabnode.test' };
const local = { protocol: 'http:', hostname: '127.0.0.1' };

describe('why a browser may block a page from reaching programs of its computer', () => {
  it('WebKit blocks https pages, even those served from this computer', () => {
    for (const hostname of ['tabnode.test', '127.0.0.1', 'localhost'])
      expect(obstacleFor({ protocol: 'https:', hostname, userAgent: safari, permission: null })).toBe(
        'browser',
      );
    expect(obstacleFor({ ...local, userAgent: safari, permission: null })).toBeNull();
  });

  it('other browsers ask for a permission, unless the page is served from this computer', () => {
    expect(obstacleFor({ ...site, userAgent: chromium, permission: 'denied' })).toBe('denied');
    expect(obstacleFor({ ...site, userAgent: chromium, permission: 'prompt' })).toBe('prompt');
    for (const permission of ['granted', null] as const)
      expect(obstacleFor({ ...site, userAgent: chromium, permission })).toBeNull();
    for (const protocol of ['http:', 'https:'])
      expect(obstacleFor({ ...local, protocol, userAgent: chromium, permission: 'prompt' })).toBeNull();
  });
});
