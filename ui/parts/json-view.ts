import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  placeholder,
  ViewPlugin,
} from '@codemirror/view';
import { splitJson } from '../state/json-text.ts';
import { type JsonMark, markRange } from './json-mark.ts';

export type JsonViewOptions = {
  readonly text: string;
  /** Names the field, for screen readers. */
  readonly label: string;
  readonly hint: string;
  readonly readOnly: boolean;
  readonly onchange: (text: string) => void;
  /** Ctrl or Cmd with Enter. */
  readonly onrun: () => void;
};

/** Colours and type of tokens.css, which reach into the shadow root. */
const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', maxHeight: 'inherit' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { font: 'var(--type-data) / var(--leading) var(--mono)', maxHeight: 'inherit' },
  '.cm-content': { padding: 'var(--s2)', caretColor: 'var(--text)' },
  // One long word of hex fills its lines.
  '.cm-line': { padding: '0', wordBreak: 'break-all' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.key': { color: 'var(--accent)' },
  '.string': { color: 'var(--ok)' },
  '.word': { color: 'var(--warn)' },
  '.mark': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px' },
  '.mark.warn': { textDecorationColor: 'var(--warn)' },
});

const roles: Readonly<Record<string, Decoration>> = Object.fromEntries(
  ['key', 'string', 'word'].map((role) => [role, Decoration.mark({ class: role })]),
);
/** A longer line is one value: its colour is not worth the time. */
const longestColoured = 20_000;

/** Colours the lines in view. A JSON string never goes over the end of a line, so each line stands for itself. */
const colour = ({ state, visibleRanges }: EditorView): DecorationSet => {
  const builder = new RangeSetBuilder<Decoration>();
  let done = 0;
  for (const range of visibleRanges)
    for (let at = Math.max(range.from, done); at <= range.to; at = done) {
      const line = state.doc.lineAt(at);
      done = line.to + 1;
      if (line.length > longestColoured) continue;
      let from = line.from;
      for (const { kind, text } of splitJson(line.text)) {
        const role = roles[kind];
        if (role !== undefined) builder.add(from, from + text.length, role);
        from += text.length;
      }
    }
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

const setMarks = StateEffect.define<DecorationSet>();
const markField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { changes, effects }) =>
    effects.find((effect) => effect.is(setMarks))?.value ?? marks.map(changes),
  provide: (field) => EditorView.decorations.from(field),
});

const decorate = (text: string, marks: readonly JsonMark[]): DecorationSet =>
  Decoration.set(
    marks
      .map((mark) => ({ mark, ...markRange(text, mark) }))
      .filter(({ from, to }) => to > from)
      .map(({ mark, from, to }) =>
        Decoration.mark({ class: `mark ${mark.tone}`, attributes: { title: mark.text } }).range(from, to),
      ),
    true,
  );

/**
 * A JSON editor inside a shadow root: there its styles are adopted sheets, which the page's content security policy lets pass.
 * The newest text is told to `onchange`; `put` takes one from outside, `mark` underlines what is wrong with it.
 */
export const createJsonView = (root: ShadowRoot, options: JsonViewOptions) => {
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
        colours,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': options.label }),
        EditorState.readOnly.of(options.readOnly),
        options.readOnly ? [] : [history(), placeholder(options.hint), markField],
        // Tab leaves the field, as everywhere on the page.
        keymap.of([{ key: 'Mod-Enter', run }, ...historyKeymap, ...standardKeymap]),
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
    mark: (marks: readonly JsonMark[]): void =>
      view.dispatch({ effects: setMarks.of(decorate(view.state.doc.toString(), marks)) }),
    destroy: () => view.destroy(),
  };
};
