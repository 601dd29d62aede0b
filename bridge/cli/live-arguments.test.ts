import { describe, expect, it } from 'vitest';
import { liveChains } from '../../src/live-chains.ts';
import { parseFollowArguments, parseForkArguments, parseRunBlockArguments } from './live-arguments.ts';

const url = 'wss://rpc.example.com';

/** Each command line with a part of the error. */
const refuses = (
  parse: (args: readonly string[]) => unknown,
  cases: readonly (readonly [readonly string[], string | RegExp])[],
): void =>
  it.each(cases)('refuses %j', (args, text) => {
    expect(() => parse(args)).toThrow(text);
  });

describe('run-block', () => {
  it('takes the name of a chain, for its own nodes or for those that must be of it', () => {
    const { polkadot } = liveChains;
    const expected = { title: 'Polkadot', genesisHash: polkadot.genesisHash };
    expect(parseRunBlockArguments(['polkadot'])).toMatchObject({ endpoints: polkadot.endpoints, expected });
    expect(parseFollowArguments(['polkadot'])).toMatchObject({ endpoints: polkadot.endpoints, expected });
    expect(parseForkArguments(['polkadot'])).toMatchObject({ endpoints: polkadot.endpoints, expected });
    expect(parseForkArguments([url, 'polkadot'])).toMatchObject({ endpoints: [url], expected });
  });

  it('takes endpoints and a block, by default the finalized one', () => {
    const endpoints = [url, 'http://127.0.0.1:9933'];
    const files = { pack: null, save: null, yes: false };
    const base = { endpoints, block: 'finalized', json: false };
    expect(parseRunBlockArguments(endpoints)).toEqual({ ...base, ...files });
    for (const block of ['best', '0', '25000000', `0x${'aB'.repeat(32)}`])
      expect(parseRunBlockArguments([url, '--block', block, '--json'])).toEqual({
        endpoints: [url],
        block,
        json: true,
        ...files,
      });
  });

  refuses(parseRunBlockArguments, [
    [[], 'run-block takes the name of a chain, such as polkadot, or the URL of a node'],
    [['polkadot', 'kusama'], 'run-block takes one chain, not polkadot and kusama'],
    [['polkadto'], 'polkadto is no known chain and not the URL of a node. Did you mean polkadot?'],
    [['kusama-assethub'], 'Did you mean kusama-asset-hub?'],
    [['localhost:9944'], 'Did you mean ws://localhost:9944?'],
    [
      ['ethereum'],
      'ethereum is not the URL of a node: write ws://, wss://, http:// or https:// and a host, or one of polkadot,',
    ],
    [Array(17).fill(url), 'at most 16 endpoints'],
    [['example.com'], 'example.com is not the URL of a node'],
    [['ftp://me:secret@example.com/?key=secret'], /^ftp:\/\/example\.com is not the URL of a node/],
    [['ws://'], 'is not the URL of a node'],
    [[url, '--block=-1'], '--block -1: expected a number'],
    [[url, '--block', '4294967296'], '--block 4294967296'],
    [[url, '--block', '0x12'], '--block 0x12'],
    [[url, '--chain', 'development'], "Unknown option '--chain'"],
    [[url, '--pack', 'x.pack'], 'leave out endpoints, --block and --save'],
  ]);
});

describe('follow', () => {
  it('follows the best blocks without an end, unless told otherwise', () => {
    const base = { endpoints: [url], json: false, save: null, yes: false };
    expect(parseFollowArguments([url])).toEqual({
      ...base,
      head: 'best',
      count: null,
      stopsAtDifference: false,
    });
    expect(parseFollowArguments([url, '--finalized', '--count', '20', '--stop'])).toEqual({
      ...base,
      head: 'finalized',
      count: 20,
      stopsAtDifference: true,
    });
  });

  refuses(parseFollowArguments, [
    [[], 'follow takes the name of a chain'],
    [[url, '--best', '--finalized'], 'cannot be combined'],
    [[url, '--count', '0'], '--count 0: expected'],
    [[url, '--save', 'x.pack'], 'add --stop'],
    [[url, '--count', '1.5'], '--count 1.5: expected'],
  ]);
});

describe('fork', () => {
  refuses(parseForkArguments, [
    [[], 'fork takes the name of a chain'],
    [['./my.pack'], './my.pack is not the URL of a node. To open a pack, write --pack ./my.pack'],
    [['--pack', 'x.pack', '--block', '5'], '--pack has its block: leave out --block'],
    [[url, '--offline'], '--offline needs the --base-path'],
    [[url, '--clock', '2030-01-01'], 'a fork continues at the time of its base'],
  ]);

  it('takes a pack, also with endpoints that have what it lacks', () => {
    expect(parseForkArguments([url, '--pack', 'x.pack'])).toMatchObject({ endpoints: [url], pack: 'x.pack' });
  });
});
