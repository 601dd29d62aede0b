import type { End } from './end.ts';
import type { Members } from './members.ts';

/** A node to connect with. */
type Target = {
  readonly id: string;
  readonly addresses: Set<string>;
  isReserved: boolean;
  /** Attempts in a row that have failed. */
  failures: number;
  /** Not before, in monotonic ms. */
  dueMs: number;
  isDialing: boolean;
  /** Why the last attempt failed; kept while it is dialed again. */
  fault: string | null;
};

export type DialingDeps = {
  readonly members: Pick<Members, 'all' | 'get'>;
  /** Dials an address; resolves when the connection is up. */
  readonly dial: (address: string, id: string) => Promise<{ readonly closed: Promise<End> }>;
  readonly isBanned: (id: string) => boolean;
  /** How many peers that are not reserved are dialled at most. */
  readonly outPeers: () => number;
  readonly now: () => number;
  readonly schedule: (ms: number, run: () => void) => () => void;
};

export type Dialing = {
  /** Dials a node whenever it is not connected, as far as there are slots. */
  add(id: string, address: string, isReserved: boolean): void;
  /** A reserved node becomes an ordinary one. */
  release(id: string): void;
  /** Dials nobody any more. */
  clear(): void;
  isReserved(id: string): boolean;
  addressesOf(id: string): Iterable<string>;
  /** What is known about nodes that are not connected, for those who ask why. */
  faults(): ReadonlyMap<string, string>;
  /** A connection has come or gone. */
  check(): void;
  close(): void;
};

const firstWaitMs = 1000;
const longestWaitMs = 60_000;
const shortMs = 10_000;
/** The least recently added are forgotten, but not those that are reserved. */
const maxTargets = 1024;
const maxAddresses = 8;

/** The nodes that are known, by their ids. */
const createTargets = () => {
  const targets = new Map<string, Target>();
  const makeRoom = (): void => {
    const spare = [...targets.values()].find(({ isReserved }) => !isReserved);
    if (targets.size >= maxTargets && spare !== undefined) targets.delete(spare.id);
  };
  return {
    all: (): Iterable<Target> => targets.values(),
    addressesOf: (id: string): Iterable<string> => targets.get(id)?.addresses ?? [],
    isReserved: (id: string): boolean => targets.get(id)?.isReserved ?? false,
    clear: (): void => targets.clear(),
    release: (id: string): void => {
      const target = targets.get(id);
      if (target !== undefined) target.isReserved = false;
    },
    add: (id: string, address: string, isReserved: boolean): void => {
      if (!targets.has(id)) makeRoom();
      const target = targets.get(id) ?? {
        ...{ id, addresses: new Set<string>(), isReserved, failures: 0, dueMs: 0 },
        ...{ isDialing: false, fault: null },
      };
      target.isReserved ||= isReserved;
      if (target.addresses.size < maxAddresses) target.addresses.add(address);
      targets.set(id, target);
    },
  };
};

/** Tries one address after another. Resolves with the connection; with null, if there is none. */
const tryAddresses = async ({ dial }: DialingDeps, target: Target) => {
  target.isDialing = true;
  try {
    for (const address of [...target.addresses]) {
      try {
        return await dial(address, target.id);
      } catch (error) {
        target.fault = error instanceof Error ? error.message : String(error);
      }
    }
    return null;
  } finally {
    target.isDialing = false;
  }
};

export const createDialing = (deps: DialingDeps): Dialing => {
  const { members, now } = deps;
  const targets = createTargets();
  let cancel: (() => void) | null = null;
  let isClosed = false;
  const dialled = (): number => {
    const connected = members.all().filter(({ connection }) => connection.isDialer);
    const under = [...targets.all()].filter(({ isDialing }) => isDialing);
    // One that has just been connected is in both.
    const ids = new Set([...connected, ...under].map(({ id }) => id));
    return [...ids].filter((id) => !targets.isReserved(id)).length;
  };
  const isWanted = (target: Target): boolean =>
    !target.isDialing &&
    members.get(target.id) === null &&
    !deps.isBanned(target.id) &&
    (target.isReserved || dialled() < deps.outPeers());
  const wait = (target: Target, isFailure: boolean): void => {
    target.failures = isFailure ? target.failures + 1 : 0;
    target.dueMs = now() + Math.min(longestWaitMs, firstWaitMs * 2 ** Math.max(0, target.failures - 1));
    check();
  };
  const attempt = async (target: Target): Promise<void> => {
    const connection = await tryAddresses(deps, target);
    if (connection === null) {
      wait(target, true);
      return;
    }
    const beganMs = now();
    // One that was counted as dialing may have left a slot to another.
    check();
    const { reason, wasPeer } = await connection.closed;
    // A connection that ends soon counts as a failure, and one that was never used.
    const isFailure = !wasPeer || now() - beganMs < shortMs;
    target.fault = isFailure ? (reason ?? target.fault ?? 'The node ends the connection at once') : null;
    wait(target, isFailure);
  };
  const check = (): void => {
    cancel?.();
    cancel = null;
    if (isClosed) return;
    let next = Number.POSITIVE_INFINITY;
    for (const target of targets.all()) {
      if (!isWanted(target)) continue;
      if (target.dueMs <= now()) void attempt(target);
      else next = Math.min(next, target.dueMs);
    }
    if (next < Number.POSITIVE_INFINITY) cancel = deps.schedule(Math.max(1, next - now()), check);
  };
  return {
    ...targets,
    add: (...target) => {
      targets.add(...target);
      check();
    },
    faults: () =>
      new Map(
        [...targets.all()].flatMap(({ id, fault }) =>
          fault === null || (members.get(id)?.role ?? null) !== null ? [] : [[id, fault] as const],
        ),
      ),
    check,
    close: () => {
      isClosed = true;
      cancel?.();
    },
  };
};
