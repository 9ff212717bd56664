import type { Connection } from './connection.ts'

/** One change of the schema. In an existing file, each change has its own transaction, and the file is backed up before the first one. */
export interface Migration {
  /** The value of `PRAGMA user_version` after this step. */
  readonly version: number
  apply(db: Connection): void
}

export const newest = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0

/** "Csgn": distinguishes our files from those of other programs. */
export const APPLICATION_ID = 0x4373676e

/**
 * `events` is the log. `sessions` is derived from it by the fold and written in the same transaction, so that lists need no fold. `item`
 * is the index of the ledger entry that an event adds or changes, and `step` is the step number after the event. With them, any page of
 * the ledger can be folded from only its own events.
 */
const FIRST = `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    after INTEGER,
    at INTEGER NOT NULL,
    item INTEGER,
    step INTEGER NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_by_session ON events (session_id, seq);
  CREATE INDEX events_by_item ON events (session_id, item, seq) WHERE item IS NOT NULL;

  CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    cwd TEXT NOT NULL,
    config TEXT NOT NULL,
    run TEXT NOT NULL,
    ended TEXT,
    pending INTEGER NOT NULL,
    need TEXT,
    steps INTEGER NOT NULL,
    items INTEGER NOT NULL,
    open TEXT NOT NULL,
    state TEXT NOT NULL,
    version INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    cursor INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE markers (
    session_id TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (session_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE leases (
    session_id TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    pid INTEGER NOT NULL,
    process_started_at INTEGER NOT NULL,
    acquired_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE blobs (hash BLOB PRIMARY KEY, bytes BLOB NOT NULL) STRICT;

  CREATE TABLE folders (
    path TEXT PRIMARY KEY,
    trusted INTEGER,
    decided_at INTEGER,
    opened_at INTEGER
  ) STRICT, WITHOUT ROWID;
`

/**
 * These tables are derived from `events`, so that a query for one call or for the changed files does not have to parse an entire session.
 * They are filled with each event. For sessions of an older version, they are filled when the session's row is rebuilt (see `rebuild.ts`),
 * so the migration takes the same time regardless of the amount of data. `slim_ends` contains copies of long call ends, without their
 * output, model text or details.
 */
const derivedTables = (table: 'TABLE' | 'TEMPORARY TABLE'): string => `
  CREATE ${table} calls (
    session_id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    item INTEGER NOT NULL,
    PRIMARY KEY (session_id, call_id)
  ) STRICT, WITHOUT ROWID;
  CREATE ${table} file_changes (
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (session_id, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE ${table} slim_ends (seq INTEGER PRIMARY KEY, event TEXT NOT NULL) STRICT;
`

/** Creates temporary tables in place of the derived tables if the file may not be written. They are filled when they are read. */
export function shadowDerivedTables(db: Connection): void {
  db.pragma('temp_store = MEMORY')
  db.exec(derivedTables('TEMPORARY TABLE'))
}

/** The id of the parent of a subagent's session. Null if the row is damaged. A query must contain exactly this expression to use the index. */
export const PARENT_ID = `CASE WHEN json_valid(parent) THEN parent ->> '$.sessionId' END`

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    apply(db) {
      db.exec(FIRST)
      db.pragma(`application_id = ${APPLICATION_ID}`)
    },
  },
  // The new column contains the parent session of a subagent's session, as JSON. It is null for a user's session.
  { version: 2, apply: (db) => void db.exec('ALTER TABLE sessions ADD COLUMN parent TEXT') },
  { version: 3, apply: (db) => void db.exec(`${derivedTables('TABLE')} CREATE INDEX sessions_by_cursor ON sessions (cursor)`) },
  // How the newest turn ended, so that the list can mark what is new.
  {
    version: 4,
    apply: (db) =>
      void db.exec(
        'ALTER TABLE sessions ADD COLUMN turn_end INTEGER NOT NULL DEFAULT 0; ALTER TABLE sessions ADD COLUMN asks INTEGER NOT NULL DEFAULT 0',
      ),
  },
  // The configuration with which a folder was trusted, as JSON; null if the folder had none.
  { version: 5, apply: (db) => void db.exec('ALTER TABLE folders ADD COLUMN configuration TEXT') },
  // Without the index, finding the subagents of one session reads the rows of all subagents.
  { version: 6, apply: (db) => void db.exec(`CREATE INDEX sessions_by_parent ON sessions (${PARENT_ID}) WHERE parent IS NOT NULL`) },
  // The newest background command that has failed, as JSON, so that the list can show it. Null if there is none.
  { version: 7, apply: (db) => void db.exec('ALTER TABLE sessions ADD COLUMN failed_command TEXT') },
]
