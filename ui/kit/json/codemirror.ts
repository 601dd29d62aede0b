import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { type ChangeSpec, Compartment, EditorState, type Extension, Transaction } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, placeholder } from '@codemirror/view';
import type { JsonSchema } from '../../../src/protocol/rpc/params/schemas.ts';
import { complete } from './codemirror-complete.ts';
import { highlightStyle, theme } from './codemirror-theme.ts';
import type { JsonMark } from './json-mark.ts';
import { markRange } from './json-place.ts';

/** What an editor shows. */
export type CodeProps = {
  readonly text: string;
  /** Accessible name. */
  readonly label: string;
  /** Called with the text on each change; without it, the text is read-only. */
  readonly onchange?: (text: string) => void;
  /** Placeholder. */
  readonly hint?: string;
  readonly invalid?: boolean;
  /** Errors in the text, underlined. */
  readonly marks?: readonly JsonMark[];
  /** What may be entered; null if nothing is known. Called when completions are requested. */
  readonly schema?: () => JsonSchema | null;
};

/** An open editor, or a text that is only shown. */
export type Code = {
  /** Shows other props. In an editor, another text than the one that was shown or typed last has a new history. */
  readonly show: (props: CodeProps) => void;
  /** Takes the focus, with this selection. */
  readonly focus: (anchor: number, head: number) => void;
  /** Opens the search panel, which Ctrl+F opens too. */
  readonly find: () => void;
  readonly close: () => void;
};

/** Words of the search panel and others, in the case of the page. */
const phrases = EditorState.phrases.of({
  next: 'Next',
  previous: 'Previous',
  all: 'All',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'By word',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
});

/** Ctrl+Enter is the page's: it runs what is written. Tab leaves the editor, as it is in none of the key maps. */
const commands = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

const attributesOf = ({ label, invalid = false, marks = [], onchange }: CodeProps): Extension =>
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-invalid': String(invalid),
    ...(marks.length > 0 && { 'aria-description': marks.map(({ text }) => text).join('\n') }),
    // A caret to move, select and fold with, and no keyboard on a touch screen.
    ...(onchange === undefined && { inputmode: 'none' }),
  });

const diagnosticsOf = ({ doc }: EditorState, { marks = [] }: CodeProps): readonly Diagnostic[] => {
  const text = marks.length === 0 ? '' : doc.toString();
  return marks.map((mark) => ({
    ...markRange(text, mark),
    severity: mark.tone === 'bad' ? 'error' : 'warning',
    message: mark.text,
  }));
};

/** The change between two texts that have most of their beginning and end in common, such as two values of a live one; null for others. */
const smallChange = (before: string, after: string): ChangeSpec | null => {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if (start + end < most / 2) return null;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
};

const editable = (props: () => CodeProps, onchange: (text: string) => void): Extension => [
  history(),
  closeBrackets(),
  autocompletion({ override: [complete(() => props().schema?.() ?? null)], icons: false }),
  placeholder(props().hint ?? ''),
  EditorView.updateListener.of(({ docChanged, state, transactions }) => {
    const isShown = transactions.some((one) => one.annotation(Transaction.addToHistory) === false);
    if (docChanged && !isShown) onchange(state.doc.toString());
  }),
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...lintKeymap]),
];

/**
 * Opens an editor at the end of an element. It is in a shadow root, for which CodeMirror makes its styles as constructed sheets: the
 * page's policy refuses the `<style>` elements that it would add to a document.
 */
export const openCode = (parent: HTMLElement, given: CodeProps): Code => {
  let props = given;
  /** The text that was shown or typed last. */
  let known = '';
  const attributes = new Compartment();
  const fixed: Extension = [
    json(),
    syntaxHighlighting(highlightStyle),
    theme,
    phrases,
    highlightSpecialChars(),
    bracketMatching(),
    codeFolding(),
    foldGutter({ openText: '▾', closedText: '▸' }),
    search({ top: true }),
    EditorView.lineWrapping,
    given.onchange === undefined
      ? EditorState.readOnly.of(true)
      : editable(
          () => props,
          (text) => {
            known = text;
            props.onchange?.(text);
          },
        ),
    keymap.of([...searchKeymap, ...foldKeymap, ...commands]),
  ];
  const host = document.createElement('div');
  host.className = 'code';
  const root = host.attachShadow({ mode: 'open', delegatesFocus: true });
  parent.append(host);
  const view = new EditorView({ parent: root, root });
  const load = (text: string): void => {
    known = text;
    view.setState(EditorState.create({ extensions: [attributes.of(attributesOf(props)), fixed] }));
    // Inserted: with a line of millions of characters in its first state, CodeMirror takes seconds to open (decision 101).
    view.dispatch({ changes: { from: 0, insert: text }, annotations: Transaction.addToHistory.of(false) });
  };
  const mark = (): void => view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state, props)));
  load(given.text);
  mark();
  return {
    show: (next) => {
      const old = props;
      props = next;
      const isOther = next.text !== known;
      const change =
        isOther && next.onchange === undefined ? smallChange(view.state.doc.toString(), next.text) : null;
      if (change !== null) {
        // Where the reader is, and what is folded, stays.
        known = next.text;
        view.dispatch({ changes: change });
      } else if (isOther) load(next.text);
      else if (next.label !== old.label || next.invalid !== old.invalid || next.marks !== old.marks)
        view.dispatch({ effects: attributes.reconfigure(attributesOf(next)) });
      if (isOther || next.marks !== old.marks) mark();
    },
    focus: (anchor, head) => {
      const { length } = view.state.doc;
      view.dispatch({ selection: { anchor: Math.min(anchor, length), head: Math.min(head, length) } });
      view.focus();
    },
    find: () => openSearchPanel(view),
    close: () => {
      view.destroy();
      host.remove();
    },
  };
};
