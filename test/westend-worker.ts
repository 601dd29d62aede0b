import { replayWestend } from './westend.ts';

/** A dedicated worker that replays Westend and tells what came out, and in what kind of thread it ran. */
replayWestend().then(
  (replay) => postMessage({ ...replay, thread: self.constructor.name }),
  (error: unknown) => postMessage({ failed: String(error) }),
);
