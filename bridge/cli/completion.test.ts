import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commands } from '../commands.ts';
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
    expect(complete('key', 'generate', '--scheme', 'e')).toEqual(['ed25519', 'ecdsa']);
    expect(complete('key', 'verify', '--scheme', 'e')).toEqual(['ed25519', 'ecdsa', 'ethereum']);
    expect(complete('key', 'generate', '-n', 'k')).toEqual(['kusama']);
  });

  it('leaves file names to the shell', () => {
    expect(complete('serve', '--base-path', '')).toEqual([]);
    expect(complete('serve', '--base-path', '--se')).toEqual([]);
    expect(complete('import-blocks', '')).toEqual([]);
    expect(completionText(commands, ['bash'])).toContain('complete -o bashdefault -o default');
  });
});

/** A folder with files to complete, and the scripts of the shells. */
const folder = mkdtempSync(join(tmpdir(), 'tabnode-completion-'));
mkdirSync(join(folder, 'files'));
for (const name of ['blocks.bin', 'chain.json']) writeFileSync(join(folder, 'files', name), '');
writeFileSync(join(folder, '_tabnode'), completionText(commands, ['zsh']));
writeFileSync(join(folder, 'tabnode.fish'), completionText(commands, ['fish']));
afterAll(() => rmSync(folder, { recursive: true }));

const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line !== '');

const run = (shell: string, ...args: readonly string[]): string => {
  const env = { ...process.env, HOME: folder, ZDOTDIR: folder, FOLDER: folder };
  return execFileSync(shell, args, { encoding: 'utf8', cwd: join(folder, 'files'), env, timeout: 30_000 });
};

/**
 * Prints what zsh would insert for Tab after a line. An interactive zsh runs on a terminal of its own; `compadd`,
 * through which every completion passes, prints the matches between two zero characters, and that zsh ends.
 */
const zshCapture = String.raw`
zmodload zsh/zpty
zpty inner 'PS1= zsh -f -i'
zpty -w inner 'setopt extended_glob; bindkey "^I" complete-word
fpath=("$FOLDER" $fpath); autoload -Uz compinit; compinit -u -D
mark() { print -n "\0" }
compprefuncs=(mark); comppostfuncs=(mark exit)
compadd() {
  if [[ " $* " != *" -"[a-zA-Z]#[OAD]" "* ]]; then
    local -a hits; builtin compadd -A hits "$@"; print -l -- $hits
  fi
  builtin compadd "$@"
}
print REA""DY'
zpty -r inner seen '*READY*'
zpty -w -n inner "$1"$'\t'
zpty -r inner seen $'*\0*\0'
print -rn -- "$seen"`;

/** What zsh and fish offer alike, in an order of their own. */
const offerAlike = (offered: (line: string) => readonly string[]): void => {
  it.each([
    ['tabnode im', ['import-blocks']],
    ['tabnode key ins', ['insert', 'inspect', 'inspect-node-key']],
    ['tabnode completion ', ['bash', 'fish', 'zsh']],
    ['tabnode --', ['--help', '--version']],
    ['tabnode serve --seal slots --pool-', ['--pool-kbytes', '--pool-limit']],
    ['tabnode repair --base-path serve --pool-', []],
    ['tabnode key generate --w', ['--words']],
    ['tabnode import-blocks key generate --w', []],
    ['tabnode serve --seal ', ['instant', 'interval', 'manual', 'slots']],
    ['tabnode key inspect --scheme e', ['ecdsa', 'ed25519']],
    ['tabnode key sign --scheme e', ['ecdsa', 'ed25519', 'ethereum']],
    ['tabnode key generate -n k', ['kusama']],
    ['tabnode serve --config ch', ['chain.json']],
    ['tabnode import-blocks ', ['blocks.bin', 'chain.json']],
    ['tabnode serve --chain ch', ['chain.json']],
    ['tabnode serve --chain dev', ['development']],
  ])('%s', (line, expected) => {
    expect([...offered(line)].sort()).toEqual(expected);
  });
};

describe.runIf(has('zsh'))('zsh', () => {
  const offered = (line: string): string[] =>
    linesOf(run('zsh', '-f', '-c', zshCapture, 'zsh', line).split('\0')[1] ?? '');

  offerAlike(offered);

  it('a value after the equals sign', () => {
    expect(offered('tabnode serve --seal=ma')).toEqual(['manual']);
  });
});

describe.runIf(has('fish'))('fish', () => {
  const offered = (line: string): string[] =>
    linesOf(
      run('fish', '--no-config', '-c', `source "$FOLDER/tabnode.fish"; complete -C ${JSON.stringify(line)}`),
    ).map((one) => one.replace(/\t.*/, ''));

  offerAlike(offered);

  it('a value after the equals sign', () => {
    expect(offered('tabnode serve --seal=ma')).toEqual(['--seal=manual']);
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
