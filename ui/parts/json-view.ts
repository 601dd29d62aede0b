import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, syntaxTree } from '@codemirror/language';
import { type Diagnostic, linter } from '@codemirror/lint';
import { EditorState, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  placeholder,
  ViewPlugin,
} from '@codemirror/view';
import type { JsonMark } from './json-mark.ts';

export type JsonViewOptions = {
  readonly text: string;
  /** Names the field, for screen readers. */
  readonly label: string;
  readonly hint: string;
  readonly readOnly: boolean;
  readonly onchange: (text: string) => void;
  /** Ctrl or Cmd with Enter. */
  readonly onrun: () => void;
  readonly marks: (text: string) => readonly JsonMark[];
};

/** Colours and type of tokens.css, which reach into the shadow root. */
const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', maxHeight: 'inherit' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { font: 'var(--type-data) / var(--leading) var(--mono)', maxHeight: 'inherit' },
  '.cm-content': { padding: 'var(--s2)', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--picked)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--picked)' },
  '.key': { color: 'var(--accent)' },
  '.string': { color: 'var(--ok)' },
  '.word': { color: 'var(--warn)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--round)',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
  },
  '.cm-diagnostic': { font: 'var(--type) / var(--leading) var(--sans)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
});

/** Classes of the theme by the names of the JSON grammar. */
const roles: Readonly<Record<string, Decoration>> = {
  PropertyName: Decoration.mark({ class: 'key' }),
  String: Decoration.mark({ class: 'string' }),
  Number: Decoration.mark({ class: 'word' }),
  True: Decoration.mark({ class: 'word' }),
  False: Decoration.mark({ class: 'word' }),
  Null: Decoration.mark({ class: 'word' }),
};

/** Marks what is in view only. */
const colour = (view: EditorView): DecorationSet => {
  const builder = new RangeSetBuilder<Decoration>();
  for (const range of view.visibleRanges)
    syntaxTree(view.state).iterate({
      ...range,
      enter: ({ name, from, to }) => {
        const role = roles[name];
        if (role !== undefined && to > from) builder.add(from, to, role);
      },
    });
  return builder.finish();
};

const colours = ViewPlugin.define(
  (view) => {
    const plugin = {
      marks: colour(view),
      update: (update: { view: EditorView }) => {
        plugin.marks = colour(update.view);
      },
    };
    return plugin;
  },
  { decorations: (plugin) => plugin.marks },
);

type Range = { readonly from: number; readonly to: number };

/** Where the argument stands in the text: item of a list, or the whole. */
const rangeOf = (state: EditorState, index: number | null): Range => {
  const whole = { from: 0, to: state.doc.length };
  if (index === null) {
    let fault: Range | null = null;
    syntaxTree(state).iterate({
      enter: ({ type, from, to }) => {
        if (type.isError) fault ??= { from: Math.max(0, from - 1), to: Math.max(to, from) };
      },
    });
    return fault ?? whole;
  }
  const list = syntaxTree(state).topNode.firstChild;
  if (list?.name !== 'Array') return whole;
  let at = -1;
  for (let node = list.firstChild; node !== null; node = node.nextSibling) {
    if (/^[[\],⚠]$/.test(node.name)) continue;
    at += 1;
    if (at === index) return { from: node.from, to: node.to };
  }
  return { from: list.from, to: list.to };
};

/**
 * A JSON editor inside a shadow root: there its styles are adopted sheets, which the page's content security policy lets pass.
 * The newest text is told to `onchange`; `put` takes one from outside.
 */
export const createJsonView = (root: ShadowRoot, options: JsonViewOptions) => {
  const lint = (view: EditorView): Diagnostic[] =>
    options.marks(view.state.doc.toString()).map(({ index, text, tone }) => ({
      ...rangeOf(view.state, index),
      severity: tone === 'bad' ? 'error' : 'warning',
      message: text,
    }));
  const run = (): boolean => {
    options.onrun();
    return true;
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        theme,
        json(),
        colours,
        bracketMatching(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': options.label }),
        EditorState.readOnly.of(options.readOnly),
        options.readOnly ? [] : [history(), placeholder(options.hint), linter(lint, { delay: 150 })],
        // Tab leaves the field, as everywhere on the page.
        keymap.of([{ key: 'Mod-Enter', run }, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onchange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    focus: () => view.focus(),
    put: (text: string): void => {
      if (text === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    destroy: () => view.destroy(),
  };
};
