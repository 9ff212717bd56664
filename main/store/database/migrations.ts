import type { Connection } from './connection.ts'

/** One step of the schema. Runs in a transaction of its own, after a copy of the file was put aside. */
export interface Migration {
  /** `PRAGMA user_version` after it. */
  readonly version: number
  apply(db: Connection): void
}

export const newest = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0

/** "Csgn": tells our files from those of other programs. */
export const APPLICATION_ID = 0x4373676e

/**
 * `events` is the truth; `sessions` is what the fold makes of it, written in the same transaction, so that a list needs no fold.
 * `item` is the index, in the session's ledger, of the entry that an event makes or changes, and `step` the step number after it:
 * with them any page of the ledger is folded from its own events alone.
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
 * Derived from `events`, so that no question about one call or about the changed files parses a whole session. Filled with each event, and
 * for sessions of an older version when their row is made anew (see `rebuild.ts`): the step itself costs the same for any size.
 * `slim_ends` holds the end of a call without its output and what the model got, where these are long.
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

/** Tables of this connection alone that take the place of the derived ones, where the file may not be written: whoever reads fills them. */
export function shadowDerivedTables(db: Connection): void {
  db.pragma('temp_store = MEMORY')
  db.exec(derivedTables('TEMPORARY TABLE'))
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    apply(db) {
      db.exec(FIRST)
      db.pragma(`application_id = ${APPLICATION_ID}`)
    },
  },
  // Where a subagent's session comes from, as JSON; null for a person's.
  { version: 2, apply: (db) => void db.exec('ALTER TABLE sessions ADD COLUMN parent TEXT') },
  { version: 3, apply: (db) => void db.exec(`${derivedTables('TABLE')} CREATE INDEX sessions_by_cursor ON sessions (cursor)`) },
  // How the newest turn ended, so that the list can tell what is new to its person.
  {
    version: 4,
    apply: (db) =>
      void db.exec(
        'ALTER TABLE sessions ADD COLUMN turn_end INTEGER NOT NULL DEFAULT 0; ALTER TABLE sessions ADD COLUMN asks INTEGER NOT NULL DEFAULT 0',
      ),
  },
]
