import { SEARCH_FILE } from '../file-names.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Connection, DatabaseClass } from '../database/connection.ts'
import { type Findings, searchWrong } from './findings.ts'

/** The search index as of the start of the check. Texts that are added later are not compared. */
export interface SearchCheck {
  /**
   * Compares the index with the log. `expected` lists the seq of every event, in any session, whose text must be found. `logged` lists
   * the sessions that have events now.
   */
  compare(expected: readonly number[], logged: ReadonlySet<SessionId>): void
  close(): void
}

/** Null if there is no index yet. A damaged file is reported immediately. */
export function openSearchCheck(Class: DatabaseClass, dataFolder: string, findings: Findings): SearchCheck | null {
  const file = join(dataFolder, SEARCH_FILE)
  if (!existsSync(file)) return null
  let db: Connection | null = null
  const damaged = (error: unknown): void =>
    findings.add(searchWrong(`cannot be read: ${error instanceof Error ? error.message : String(error)}`))
  try {
    db = new Class(file, { readonly: true, timeout: 5_000 })
    const lines = db.prepare<[], string>('PRAGMA quick_check(5)').pluck().all()
    if (lines.join() !== 'ok') findings.add(searchWrong(`is damaged: ${lines.join('; ')}`))
    const position = db.prepare<[], number>('SELECT to_seq FROM progress').pluck().get() ?? 0
    return comparison(db, position, findings, damaged)
  } catch (error) {
    db?.close()
    damaged(error)
    return null
  }
}

function comparison(db: Connection, position: number, findings: Findings, damaged: (error: unknown) => void): SearchCheck {
  return {
    compare(expected, logged) {
      try {
        const indexed = new Set(db.prepare<[number], number>('SELECT DISTINCT seq FROM texts WHERE seq <= ?').pluck().all(position))
        const missing = expected.filter((seq) => seq <= position && !indexed.has(seq)).length
        const wanted = new Set(expected)
        const sessions = db.prepare<[number], { seq: number; session_id: SessionId }>('SELECT seq, session_id FROM texts WHERE seq <= ?')
        const extra = new Set<number>()
        for (const { seq, session_id: id } of sessions.iterate(position)) if (!wanted.has(seq) && logged.has(id)) extra.add(seq)
        const [texts, words] = ['texts', 'words_docsize'].map((table) =>
          db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get(),
        )
        const wrong = [
          ...(missing > 0 ? [`lacks ${missing} of ${expected.length} events`] : []),
          ...(extra.size > 0 ? [`has ${extra.size} entries whose events contain no text`] : []),
          ...(texts === words ? [] : [`has ${words} word lists for ${texts} texts`]),
        ]
        if (wrong.length > 0) findings.add(searchWrong(`${wrong.join(', and ')}.`))
      } catch (error) {
        damaged(error)
      }
    },
    close: () => db.close(),
  }
}
