import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The colors of the tree of a value, which follow the theme by themselves. */
export const highlightStyle = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
]);

const data = 'var(--type-data) / var(--leading) var(--mono)';
const field = {
  minHeight: 'var(--row)',
  border: '1px solid var(--edge)',
  borderRadius: 'var(--round)',
  background: 'var(--raised)',
  color: 'var(--text)',
  font: 'var(--type) / var(--leading) var(--sans)',
};
const overlay = {
  border: '1px solid var(--line)',
  borderRadius: 'var(--round)',
  background: 'var(--raised)',
  boxShadow: 'var(--overlay)',
  color: 'var(--text)',
};

/** All colors, sizes and typefaces are the page's own. */
export const theme = EditorView.theme({
  '&': { color: 'var(--text)', font: data, fontVariantNumeric: 'tabular-nums', maxHeight: 'var(--code-max)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px', borderRadius: 'var(--round)' },
  '.cm-scroller': { font: 'inherit', lineHeight: 'var(--leading)', overflow: 'auto' },
  '.cm-content': { padding: 'var(--s2) 0', minHeight: 'var(--code-min)', caretColor: 'var(--text)' },
  // A long unbroken hex string wraps to full lines.
  '.cm-lineWrapping': { wordBreak: 'break-all' },
  '.cm-line': { padding: '0 var(--s2) 0 2px' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-content ::selection': { background: 'var(--picked)' },
  '.cm-gutters': { background: 'none', border: '0', color: 'var(--muted)' },
  '.cm-foldGutter .cm-gutterElement': { width: '16px', textAlign: 'center', cursor: 'pointer' },
  '.cm-foldPlaceholder': {
    margin: '0 2px',
    padding: '0 var(--s1)',
    border: '1px solid var(--line)',
    background: 'var(--sunken)',
    color: 'var(--muted)',
  },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--picked)', outline: '1px solid var(--edge)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'none', color: 'var(--bad)' },
  '.cm-searchMatch': { background: 'var(--live)', outline: '1px solid var(--edge)' },
  '.cm-searchMatch-selected': { background: 'var(--picked)', outline: '2px solid var(--accent)' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.cm-lintRange': {
    backgroundImage: 'none',
    padding: '0',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
  '.cm-lintRange-active': { background: 'var(--picked)' },
  '.cm-diagnostic': { padding: 'var(--s1) var(--s2)', font: 'var(--type) / var(--leading) var(--sans)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
  '.cm-tooltip': { ...overlay, maxWidth: 'min(60ch, 90cqw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: '16em', maxWidth: 'min(60ch, 90cqw)', font: data },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    padding: '3px var(--s2)',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--picked)',
    color: 'var(--text)',
    boxShadow: 'inset 2px 0 var(--accent)',
  },
  '.cm-completionMatchedText': { fontWeight: '600', textDecoration: 'none' },
  '.cm-completionDetail': { marginLeft: 'var(--s2)', color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-tooltip.cm-completionInfo': {
    ...overlay,
    padding: 'var(--s1) var(--s2)',
    font: 'var(--type) / var(--leading) var(--sans)',
  },
  '.cm-panels': { background: 'var(--surface)', color: 'var(--text)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: 'var(--s1) var(--s6) var(--s1) var(--s2)' },
  '.cm-panel.cm-search :is(input:not([type=checkbox]), button)': {
    ...field,
    margin: '2px var(--s1) 2px 0',
    padding: '0 var(--s2)',
  },
  '.cm-panel.cm-search button': { backgroundImage: 'none', cursor: 'pointer' },
  '.cm-panel.cm-search button:hover': { background: 'var(--hover)' },
  '.cm-panel.cm-search button[name=close]': { border: '0', background: 'none', minWidth: '24px' },
  '.cm-panel.cm-search label': { marginRight: 'var(--s2)', font: 'var(--type) / var(--leading) var(--sans)' },
  '.cm-panel.cm-search input[type=checkbox]': { accentColor: 'var(--accent)', margin: '0 var(--s1) 0 0' },
  '.cm-panel.cm-search :focus-visible': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '@media (pointer: coarse)': { '.cm-foldGutter .cm-gutterElement': { width: '28px' } },
  // Contrast themes paint no backgrounds of a page.
  '@media (forced-colors: active)': {
    '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'Highlight', color: 'HighlightText' },
  },
  // On paper, all of the text.
  '@media print': { '&': { maxHeight: 'none' } },
});
