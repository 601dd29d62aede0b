import { replayWestend } from './westend.ts';

/** A dedicated worker that replays Westend and reports the result, and the kind of thread it ran in. */
replayWestend().then(
  (replay) => postMessage({ ...replay, thread: self.constructor.name }),
  (error: unknown) => postMessage({ failed: String(error) }),
);
