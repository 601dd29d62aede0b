import { replayWestend } from './westend.ts';

/** A dedicated worker that replays Westend and reports the result and its kind of thread. */
replayWestend().then(
  (replay) => postMessage({ ...replay, thread: self.constructor.name }),
  (error: unknown) => postMessage({ failed: String(error) }),
);
