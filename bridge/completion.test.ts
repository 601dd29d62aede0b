import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';
import { completionText } from './completion.ts';

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

describe.runIf(has('bash'))('bash', () => {
  /** The completions that bash offers for the last word. Bash splits the words as on a command line. */
  const complete = (...words: readonly string[]): string[] => {
    const script = `${completionText(commands, ['bash'])}
COMP_WORDS=(tabnode "$@"); COMP_CWORD=$#; _tabnode; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['--norc', '-c', script, 'bash', ...words], { encoding: 'utf8' });
    return out.split('\n').filter((line) => line !== '');
  };

  it('commands', () => {
    expect(complete('')).toEqual(expect.arrayContaining(['serve', 'key', 'completion', '--help']));
    expect(complete('im')).toEqual(['import-blocks']);
    expect(complete('key', 'ins')).toEqual(['inspect', 'inspect-node-key', 'insert']);
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it('options of the command only', () => {
    expect(complete('serve', '--seal', 'slots', '--pool-')).toEqual(['--pool-limit', '--pool-kbytes']);
    expect(complete('repair', '--pool-')).toEqual([]);
    expect(complete('key', 'generate', '--w')).toEqual(['--words']);
    expect(complete('serve', '--conf')).toEqual(['--config']);
  });

  it('values', () => {
    expect(complete('serve', '--seal', '')).toEqual(['interval', 'instant', 'slots', 'manual']);
    expect(complete('serve', '--seal', '=')).toEqual(['interval', 'instant', 'slots', 'manual']);
    expect(complete('serve', '--seal', '=', 'ma')).toEqual(['manual']);
    expect(complete('key', 'sign', '--scheme', 'e')).toEqual(['ed25519', 'ecdsa']);
    expect(complete('key', 'generate', '-n', 'k')).toEqual(['kusama']);
  });

  it('leaves file names to the shell', () => {
    expect(complete('serve', '--base-path', '')).toEqual([]);
    expect(complete('serve', '--base-path', '--se')).toEqual([]);
    expect(complete('import-blocks', '')).toEqual([]);
    expect(completionText(commands, ['bash'])).toContain('complete -o bashdefault -o default');
  });
});

describe.runIf(has('zsh'))('zsh', () => {
  it('offers options and values', () => {
    const script = `${completionText(commands, ['zsh'])}
_describe() { print -l -- $found }
_arguments() { print -l -- "$@" }
words=(tabnode "$@"); CURRENT=$(( $# + 1 )); _tabnode`;
    const offered = (...words: readonly string[]): string =>
      execFileSync('zsh', ['-f', '-c', `compdef() { }; ${script}`, 'zsh', ...words], { encoding: 'utf8' });
    expect(offered('')).toContain('serve:run a node');
    expect(offered('key', '')).toContain('inspect:show the key');
    expect(offered('serve', '--seal', '')).toContain('(interval instant slots manual)');
    expect(offered('key', 'sign', '')).toContain('--scheme=[');
  });
});

describe.runIf(has('fish'))('fish', () => {
  it('offers commands, options and values', () => {
    const offered = (line: string): string =>
      execFileSync(
        'fish',
        ['--no-config', '-c', `${completionText(commands, ['fish'])}\ncomplete -C ${JSON.stringify(line)}`],
        {
          encoding: 'utf8',
        },
      );
    expect(offered('tabnode ')).toContain('serve\trun a node');
    expect(offered('tabnode key ')).toContain('inspect\tshow the key');
    expect(offered('tabnode serve --seal ')).toContain('slots');
    expect(offered('tabnode serve --pool-')).toContain('--pool-limit');
    expect(offered('tabnode repair --pool-')).not.toContain('--pool-limit');
  });
});

it('every option has a description, and no text breaks out of its shell quotes', () => {
  const fish = completionText(commands, ['fish']).split('\n');
  expect(fish.filter((line) => line.endsWith(" -d ''")).map((line) => /-l (\S+)/.exec(line)?.[1])).toEqual(
    [],
  );
  for (const line of fish) expect(line.replaceAll("\\'", '').split("'").length % 2).toBe(1);
});

it.each([[[]], [['powershell']], [['bash', 'zsh']]])('refuses %j', (argv) => {
  expect(() => completionText(commands, argv)).toThrow('completion');
});
