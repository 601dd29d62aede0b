import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { JsonSchema } from '../../../src/protocol/rpc/params/schemas.ts';
import { suggestAt } from './json-suggest.ts';

/** Completions in a longer text would take too long for each key. */
const longestCompleted = 500_000;

/** Completions by a schema, for which it is asked each time. */
export const complete =
  (schema: () => JsonSchema | null) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const before = state.sliceDoc(Math.max(0, pos - 1), pos);
    if (state.doc.length > longestCompleted || (!explicit && !/["\w]/.test(before))) return null;
    const known = schema();
    const found = known && suggestAt(known, state.doc.toString(), pos);
    if (!found) return null;
    const { from, to, list } = found;
    // Names are compared with what is typed without its quote.
    const start = state.sliceDoc(from, from + 1) === '"' && from < pos ? from + 1 : from;
    return {
      from: start,
      to: pos,
      validFor: /^[\w$]*$/,
      options: list.map(({ label, text, detail, info, isName }, index) => ({
        label,
        // In the order of the schema.
        boost: Math.max(-index, -99),
        detail,
        ...(info !== '' && { info }),
        apply: (view, _completion, _from, end) => {
          const last = Math.max(end, to + (end - pos));
          const hasColon = /^\s*:/.test(view.state.sliceDoc(last, last + 8));
          const insert = isName && !hasColon ? `${text}: ` : text;
          view.dispatch({
            changes: { from, to: Math.min(last, view.state.doc.length), insert },
            selection: { anchor: from + insert.length },
            userEvent: 'input.complete',
            scrollIntoView: true,
          });
        },
      })),
    };
  };
