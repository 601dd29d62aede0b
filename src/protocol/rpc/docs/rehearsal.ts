import type { MethodDocs } from '../define.ts';

export const rehearsalDocs = {
  dev_subscribeRehearsal: {
    doc: 'Rehearses an upgrade to the runtime `code`, plain or compressed, on the state of block `at` (default: the best one): the checks of a runtime that was built with `try-runtime` (`checks`: `none`, `all`, `pre-and-post` or `try-state`; default `pre-and-post` where the runtime has them), `on_runtime_upgrade` in the next block, its multi-block migrations, which must end within `max_blocks` blocks (default 1000), and three blocks after them. The chain does not change. Sends items of `kind` `progress`, then one `report` (what `tabnode try-runtime --json` prints) or `failed`, and ends. A runtime that cannot be the next one is refused (`BadCode`), as are checks that it does not have (`MissingApi`) and a second rehearsal at the same time (`LimitReached`). `dev_unsubscribeRehearsal` cancels it before the next call of the runtime.',
    example: { code: '0x0061736d01000000' },
  },
} satisfies MethodDocs;
