import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../bytes/bytes.ts';
import type { Batch, Database } from './database.ts';
import { schemaVersion } from './stores.ts';

/**
 * One step of the schema. Stores are created by the engine beforehand (`since` in stores.ts); a migration only rewrites
 * records. The batch it returns is written in one transaction together with the new version. A step too large for one
 * batch may write earlier ones itself, if running it again from the start does no harm.
 */
export type Migration = {
  readonly to: number;
  readonly doc: string;
  readonly run: (database: Database) => Promise<Batch>;
};

/** All steps, ascending; each has a test over a fixture of the version before. Version 1 is the first. */
export const migrations: readonly Migration[] = [
  {
    to: 2,
    doc: 'Number records got the weight behind the hash. Those without it are still read; a node of version 1 must not see them.',
    run: async () => ({ puts: [], deletes: [] }),
  },
  {
    to: 3,
    doc: 'The top bit of a stored weight marks a block of our own. Records without it are still read; a node of version 2 would take it for weight.',
    run: async () => ({ puts: [], deletes: [] }),
  },
];

const schemaKey = /* @__PURE__ */ textToBytes('schema');

const encodeVersion = (version: number): Uint8Array => {
  const out = new Uint8Array(4);
  new DataView(out.buffer).setUint32(0, version);
  return out;
};

/** The version a database was last written with; null when it is new. */
export const loadSchemaVersion = async (database: Database): Promise<number | null> => {
  const value = await database.get('meta', schemaKey);
  if (value === null) return null;
  if (value.length !== 4)
    throw new NodeError('StorageBroken', 'The schema version of the database is damaged');
  return new DataView(value.buffer, value.byteOffset).getUint32(0);
};

/** Brings a database that was just opened to this version, or closes it. Throws as `migrate`. */
export const migrateOrClose = async (database: Database): Promise<Database> => {
  try {
    await migrate(database);
  } catch (cause) {
    await database.close();
    throw cause;
  }
  return database;
};

/** Brings a database to `target`; a database from a newer node is refused rather than damaged. Returns the version it had. */
export const migrate = async (
  database: Database,
  steps: readonly Migration[] = migrations,
  target: number = schemaVersion,
): Promise<number | null> => {
  const found = await loadSchemaVersion(database);
  if (found === target) return found;
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
