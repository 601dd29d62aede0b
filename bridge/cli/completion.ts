import type { ParseArgsOptionsConfig } from 'node:util';
import { bad } from './arguments.ts';
import { type Command, type Commands, commonOptions } from './command.ts';

/** Options with a fixed set of values; all others complete to file names. */
const choices: Readonly<Record<string, readonly string[]>> = {
  chain: ['development', 'local_testnet'],
  seal: ['interval', 'instant', 'slots', 'manual'],
  clock: ['chain', 'wall'],
  finality: ['delayed', 'instant', 'manual', 'grandpa'],
  dialect: ['psp-6', 'polkadot-sdk'],
  'rpc-methods': ['auto', 'safe', 'unsafe'],
  'rpc-cors': ['all', 'none'],
  'state-pruning': ['archive', 'archive-canonical'],
  'blocks-pruning': ['archive-canonical', 'archive'],
  'offchain-worker': ['when-authority', 'always', 'never'],
  'enable-offchain-indexing': ['true', 'false'],
  scheme: ['sr25519', 'ed25519', 'ecdsa', 'ethereum'],
  network: ['polkadot', 'kusama', 'substrate'],
  'output-type': ['text', 'json'],
  'key-type': ['babe', 'gran', 'imon', 'para', 'asgn', 'audi', 'beef', 'acco', 'aura'],
  log: ['error', 'warn', 'info', 'debug', 'trace', 'rpc=debug'],
  checks: ['none', 'pre-and-post', 'try-state', 'all'],
  words: ['12', '15', '18', '21', '24'],
};

/** The option that takes a file as well as one of its values. */
const takesFile = 'chain';

const shells = ['bash', 'zsh', 'fish'] as const;

/** What may take the place of a command. */
const instead: ReadonlyMap<string, string> = new Map([
  ['--help', 'list the commands'],
  ['--version', 'print the version'],
]);

type Flag = {
  readonly name: string;
  readonly short: string | undefined;
  readonly takesValue: boolean;
  /** Null: any value. */
  readonly values: readonly string[] | null;
  readonly text: string;
};

/**
 * An option's description in the help text: the rest of its line, or the next line; cut at `:`, `;` or `(`
 * unless the option has `choices`.
 */
const textOf = (help: string, name: string): string => {
  const lines = help.split('\n');
  const at = lines.findIndex(
    (line) => /^ {2}-/.test(line) && line.trim().split(/ {2,}/)[0]?.split(/[ ,]+/).includes(`--${name}`),
  );
  const [, onSameLine] = /^ {2}-.*? {2,}(.+)$/.exec(lines[at] ?? '') ?? [];
  const text = at < 0 ? '' : (onSameLine ?? lines[at + 1] ?? '').trim();
  return (choices[name] === undefined ? text.replace(/[:;(].*$/, '').trim() : text) || name;
};

const flagsOf = ({ help, options }: Command): readonly Flag[] => {
  const all: ParseArgsOptionsConfig = { ...options, ...commonOptions };
  const common: Record<string, string> = { config: 'a file of options', help: 'show the options' };
  return Object.entries(all).map(([name, { type, short }]) => ({
    name,
    short,
    takesValue: type === 'string',
    // Not all commands have keys of Ethereum accounts.
    values: choices[name]?.filter((value) => name !== 'scheme' || help.includes(value)) ?? null,
    text: common[name] ?? textOf(help, name),
  }));
};

/** The words that may follow each prefix: commands first, then the commands of a group. */
const wordsOf = (commands: Commands): ReadonlyMap<string, ReadonlyMap<string, string>> => {
  const words = new Map<string, Map<string, string>>([['', new Map()]]);
  for (const [name, { summary }] of Object.entries(commands)) {
    const [first = '', second] = name.split(' ');
    const before = words.get('')?.get(first);
    words.get('')?.set(first, [before, second ?? summary].filter((one) => one !== undefined).join(', '));
    if (second === undefined) continue;
    const group = words.get(first) ?? new Map<string, string>();
    words.set(first, group.set(second, summary));
  }
  words.set('completion', new Map(shells.map((shell) => [shell, `for ${shell}`])));
  return words;
};

const writtenAs = ({ name, short }: Flag): readonly string[] =>
  short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];

const bashCase = (name: string, command: Command): string => {
  const flags = flagsOf(command);
  const valued = flags.filter(({ takesValue }) => takesValue);
  const listed = valued.filter(({ values }) => values !== null);
  return [
    `    "${name}")`,
    `      flags="${flags.flatMap(writtenAs).join(' ')}"`,
    '      case "$previous" in',
    `        ${valued.flatMap(writtenAs).join('|')}) isValue=1 ;;`,
    '      esac',
    '      case "$previous" in',
    ...listed.map((flag) => `        ${writtenAs(flag).join('|')}) words="${flag.values?.join(' ')}" ;;`),
    '      esac ;;',
  ].join('\n');
};

const bashText = (commands: Commands): string => {
  const groups = [...wordsOf(commands)].filter(([name]) => name !== '');
  const cases = groups.map(([name, words]) => `    "${name} ") words="${[...words.keys()].join(' ')}" ;;`);
  return `# Completion of tabnode for bash: source <(tabnode completion bash)
_tabnode() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local name="\${COMP_WORDS[1]}" words="" flags="" isValue=""
  # --flag=value is three words for bash.
  if [[ "$word" == "=" ]]; then word=""
  elif [[ "$previous" == "=" ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W "${[...(wordsOf(commands).get('') ?? new Map()).keys(), ...instead.keys()].join(' ')}" -- "$word"))
    return
  fi
  if (( COMP_CWORD == 2 )); then
    case "$name " in
${cases.join('\n')}
    esac
    if [[ -n "$words" ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); return; fi
  fi
  case "$name" in
    ${groupNames(commands).join('|') || '""'}) name="$name \${COMP_WORDS[2]}" ;;
  esac
  case "$name" in
${Object.entries(commands)
  .map(([name, command]) => bashCase(name, command))
  .join('\n')}
  esac
  if [[ -z "$isValue" && "$word" == -* ]]; then words="$flags"; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o bashdefault -o default -F _tabnode tabnode`;
};

const groupNames = (commands: Commands): readonly string[] => [
  ...new Set(Object.keys(commands).flatMap((name) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : []))),
];

/** Text between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** An `_arguments` specification. */
const zshFlag = (flag: Flag): readonly string[] => {
  const text = flag.text.replace(/[[\]:\\]/g, '\\$&');
  const listed = `(${flag.values?.join(' ')})`;
  const either = `{_alternative "names\\:${flag.name}\\:${listed}" "files\\:file\\:_files"}`;
  const value = flag.values === null ? ':_files' : `:${flag.name === takesFile ? either : listed}`;
  const action = flag.takesValue ? `:${flag.name}${value}` : '';
  return writtenAs(flag).map((name) =>
    quoted(`*${name}${flag.takesValue && name.startsWith('--') ? '=' : ''}[${text}]${action}`),
  );
};

const zshWords = (words: ReadonlyMap<string, string>): string =>
  [...words].map(([word, text]) => quoted(`${word}:${text}`)).join(' ');

const zshText = (commands: Commands): string => {
  const words = wordsOf(commands);
  const groups = [...words].filter(([name]) => name !== '');
  return `#compdef tabnode
# Completion of tabnode for zsh, to be stored as _tabnode in a folder of $fpath.
_tabnode() {
  local name="$words[2]"
  local -a found
  if (( CURRENT == 2 )); then
    found=(${zshWords(words.get('') ?? new Map())})
    if [[ "$words[2]" == -* ]]; then found=(${zshWords(instead)}); fi
    _describe command found
    return
  fi
  if (( CURRENT == 3 )); then
    case "$name" in
${groups.map(([group, of]) => `      ${group}) found=(${zshWords(of)}) ;;`).join('\n')}
    esac
    if (( $#found )); then _describe command found; return; fi
  fi
  case "$name" in
    ${groupNames(commands).join('|') || '""'}) name="$name $words[3]" ;;
  esac
  case "$name" in
${Object.entries(commands)
  .map(
    ([name, command]) =>
      `    "${name}") _arguments ${flagsOf(command).flatMap(zshFlag).join(' ')} '*:file:_files' ;;`,
  )
  .join('\n')}
  esac
}
if [[ "$funcstack[1]" == _tabnode ]]; then _tabnode "$@"; else compdef _tabnode tabnode; fi`;
};

/**
 * Succeeds if the command line begins with these words and, with `-e`, has no others before the cursor. A test for
 * a word anywhere (`__fish_seen_subcommand_from`) would also take the value of an option for a command.
 */
const fishBegins = `function __tabnode_begins
  argparse e -- $argv
  set -l words (commandline -opc)[2..-1]
  set -q _flag_e; and test (count $words) -ne (count $argv); and return 1
  test (count $words) -ge (count $argv); or return 1
  for at in (seq (count $argv))
    test "$words[$at]" = "$argv[$at]"; or return 1
  end
end`;

const fishFlag = (name: string, flag: Flag): string =>
  [
    `complete -c tabnode -n ${quoted(`__tabnode_begins ${name}`)} -l ${flag.name}`,
    flag.short === undefined ? '' : ` -s ${flag.short}`,
    flag.takesValue ? ' -r' : '',
    flag.values === null ? '' : `${flag.name === takesFile ? '' : ' -f'} -a ${quoted(flag.values.join(' '))}`,
    ` -d ${quoted(flag.text)}`,
  ].join('');

const fishWords = (commands: Commands): string[] =>
  [...wordsOf(commands), ['', instead] as const].flatMap(([group, words]) =>
    [...words].map(
      ([word, text]) =>
        `complete -c tabnode -n ${quoted(`__tabnode_begins -e ${group}`.trim())} -f -a ${quoted(word)} -d ${quoted(text)}`,
    ),
  );

const fishText = (commands: Commands): string =>
  [
    '# Completion of tabnode for fish.',
    fishBegins,
    ...fishWords(commands),
    ...Object.entries(commands).flatMap(([name, command]) =>
      flagsOf(command).map((flag) => fishFlag(name, flag)),
    ),
  ].join('\n');

/** The completion script of a shell. Throws `BadConfig` for an unknown shell. */
export const completionText = (commands: Commands, [shell, ...rest]: readonly string[]): string => {
  if (rest.length > 0) throw bad('completion takes one SHELL');
  if (shell === 'bash') return bashText(commands);
  if (shell === 'zsh') return zshText(commands);
  if (shell === 'fish') return fishText(commands);
  throw bad(`completion: expected one of ${shells.join(', ')}`);
};
