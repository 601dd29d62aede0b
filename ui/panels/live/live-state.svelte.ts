import type { Place, Route } from '../../kit/page/route.svelte.ts';
import type { PageContext } from '../../node/page-context.ts';
import { readTraffic } from './recording/read-recording.ts';
import { Recorder } from './recording/recorder.svelte.ts';
import { LogFilter, statuses, type TrafficFilter, TrafficView } from './traffic/traffic-view.svelte.ts';

/** Whether the panel shows a log, whose filter is in the address. */
const showsLog = ({ panel, parts }: Place): boolean =>
  panel === 'live' && (parts[0] === 'traffic' || parts[0] === 'recording');

const readFilter = ({ query }: Place): TrafficFilter => ({
  text: query.get('q') ?? '',
  method: query.get('method') ?? '',
  client: query.get('client') ?? '',
  status: statuses.find((one) => one === query.get('status')) ?? '',
  own: query.get('own') === '1',
});

/** By session: what was recorded outlives the node, which restarts with another clock. */
const recorders = new WeakMap<object, Recorder>();

/** State that the Live panel and the dock keep across visits, apart from the subscriptions. */
export class LiveState {
  readonly recorder: Recorder;
  readonly traffic: TrafficView;
  #route: Route;
  #docked = new LogFilter();
  /** The recording being viewed. */
  recording = $state.raw<{ readonly name: string; readonly view: TrafficView } | null>(null);
  /** Why the last file could not be read as a recording. */
  fault = $state.raw<unknown>(null);

  constructor({ node, traffic, route, session }: PageContext, ended: AbortSignal) {
    this.#route = route;
    const of = session ?? this;
    const recorder = recorders.get(of) ?? new Recorder(node);
    recorders.set(of, recorder);
    recorder.node = node;
    this.recorder = recorder;
    this.traffic = new TrafficView(traffic, this);
    ended.addEventListener('abort', () => {
      if (!recorder.on) return;
      const why = 'The recording ended with its node. It is kept in Live, Recording.';
      void recorder.stop(why);
      if (session) session.notice = `${session.notice ?? ''} ${why}`;
    });
    // The browser asks before a reload that would lose it.
    addEventListener('beforeunload', (event) => recorder.on && event.preventDefault(), { signal: ended });
  }

  /** The filter of the log that is shown: the panel's is in the address, the dock's is not. */
  get filter(): TrafficFilter {
    const { place } = this.#route;
    return showsLog(place) ? readFilter(place) : this.#docked.filter;
  }

  set filter(next: TrafficFilter) {
    const { text, own, ...rest } = next;
    if (showsLog(this.#route.place)) {
      const query = Object.entries({ ...rest, q: text, own: own ? '1' : '' });
      this.#route.replace(
        this.#route.linkHere(Object.fromEntries(query.map(([name, value]) => [name, value || null]))),
      );
    } else this.#docked.filter = next;
  }

  /** Shows a recording; that of this page by default. */
  show(text = this.recorder.text(), name = 'this page'): void {
    try {
      this.recording = { name, view: new TrafficView(readTraffic(text), this) };
      this.fault = null;
    } catch (fault) {
      this.fault = fault;
    }
  }
}

/** The one state of a context. */
export const liveState = (context: PageContext): LiveState =>
  context.keep('live.traffic', (ended) => new LiveState(context, ended));
