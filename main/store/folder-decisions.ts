import type { Clock } from '../agent/ports/clock.ts'
import type { Connection } from './database/connection.ts'

/**
 * The user's decisions about folders, by real path. The caller resolves links, so that trust does not apply to a new target when a link
 * changes.
 */
export interface FolderDecisions {
  /** Whether the user trusts the folder; null if the user was never asked. */
  trust(path: string): boolean | null
  /** The configuration that the user trusted, as given to `decide`; null if there is none. */
  configuration(path: string): string | null
  decide(path: string, trusted: boolean, configuration?: string): void
  opened(path: string): void
  /** Folders that were opened, newest first. */
  recent(limit: number): readonly string[]
}

export interface FolderDecisionsParts {
  readonly db: Connection
  readonly clock: Pick<Clock, 'now'>
  readonly write: <T>(work: () => T) => T
  readonly read: <T>(work: () => T) => T
}

export function createFolderDecisions({ db, clock, write, read }: FolderDecisionsParts): FolderDecisions {
  const trusted = db.prepare<[string], number | null>('SELECT trusted FROM folders WHERE path = ?').pluck()
  const decide = db.prepare(
    `INSERT INTO folders (path, trusted, decided_at, configuration) VALUES (?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET trusted = excluded.trusted, decided_at = excluded.decided_at, configuration = excluded.configuration`,
  )
  const configuration = db.prepare<[string], string | null>('SELECT configuration FROM folders WHERE path = ?').pluck()
  const opened = db.prepare(
    'INSERT INTO folders (path, opened_at) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET opened_at = excluded.opened_at',
  )
  const recent = db
    .prepare<[number], string>('SELECT path FROM folders WHERE opened_at IS NOT NULL ORDER BY opened_at DESC LIMIT ?')
    .pluck()

  return {
    trust(path) {
      const answer = read(() => trusted.get(path)) ?? null
      return answer === null ? null : answer === 1
    },
    configuration: (path) => read(() => configuration.get(path)) ?? null,
    decide(path, yes, seen) {
      write(() => decide.run(path, yes ? 1 : 0, clock.now(), seen ?? null))
    },
    opened(path) {
      write(() => opened.run(path, clock.now()))
    },
    recent: (limit) => read(() => recent.all(limit)),
  }
}
