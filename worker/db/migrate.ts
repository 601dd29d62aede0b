import { NodeError } from '../../src/protocol/errors.ts';
import { checkedDatabase, type Engine, uncheckedDatabase } from './checked.ts';
import { damageError } from './damage.ts';
import type { Batch, Database } from './database.ts';
import { decodeVersion, encodeVersion, schemaKey, sealStores } from './seal-stores.ts';
import { schemaVersion, storeNames } from './stores.ts';

/**
 * One step of the schema. The engine creates stores beforehand (`since` in stores.ts); a migration only
 * rewrites records. The batch it returns is written in one transaction with the new version. A step too large
 * for one batch may write earlier ones itself, if rerunning it from the start is harmless.
 */
export type Migration = {
  readonly to: number;
  /** Receives the records in stored form; checksums are neither added nor removed. */
  readonly run: (database: Database) => Promise<Batch>;
};

/** All steps, ascending; each has a test over a fixture of the version before. Version 1 is the first. */
export const migrations: readonly Migration[] = [
  // Number records got the weight behind the hash. Those without it are still read; a node of version 1 must not see them.
  { to: 2, run: async () => ({ puts: [], deletes: [] }) },
  // Every record got a checksum behind its value, but trie nodes, which their key proves; the top bit of a stored weight marks a block of our own.
  { to: 3, run: sealStores },
  // Stores for pruning states came. Chains of before keep all their states.
  { to: 4, run: async () => ({ puts: [], deletes: [] }) },
  // The store of the transaction pool came.
  { to: 5, run: async () => ({ puts: [], deletes: [] }) },
];

/** The version a database was last written with. Null if it is new. */
export const loadSchemaVersion = async (database: Database): Promise<number | null> => {
  const stored = await database.get('meta', schemaKey);
  return stored === null ? null : decodeVersion(stored);
};

/**
 * A database without its version would be mistaken for a new one, and another chain would be written over it.
 */
const checkEmpty = async (database: Database): Promise<void> => {
  const found = await Promise.all(storeNames.map((store) => database.range(store, { limit: 1 })));
  if (found.some((records) => records.length > 0))
    throw damageError('its schema version is missing', { store: 'meta' });
};

/**
 * Migrates the database of a newly opened engine to this version. Closes the engine on failure. Throws like
 * `migrate`.
 */
export const openChecked = async (engine: Engine): Promise<Database> => {
  try {
    await migrate(uncheckedDatabase(engine));
  } catch (cause) {
    await engine.close();
    throw cause;
  }
  return checkedDatabase(engine);
};

/** Migrates a database to `target`. Refuses a database of a newer node. Returns the previous version. */
export const migrate = async (
  database: Database,
  steps: readonly Migration[] = migrations,
  target: number = schemaVersion,
): Promise<number | null> => {
  const found = await loadSchemaVersion(database);
  if (found === target) return found;
  if (found === null) await checkEmpty(database);
  if (found !== null && found > target) {
    throw new NodeError('StorageBroken', `The database is of version ${found}, this node knows ${target}`, {
      details: { found, target },
    });
  }
  let version = found ?? target;
  for (const step of steps) {
    if (step.to <= version || step.to > target) continue;
    const batch = await step.run(database);
    await database.write({
      deletes: batch.deletes,
      puts: [...batch.puts, ['meta', schemaKey, encodeVersion(step.to)]],
    });
    version = step.to;
  }
  if (found === null || version !== target)
    await database.write({ deletes: [], puts: [['meta', schemaKey, encodeVersion(target)]] });
  return found;
};
