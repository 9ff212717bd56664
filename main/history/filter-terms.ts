import type { Connection } from '../store/database/connection.ts'

type TagKind = 'place' | 'folder' | 'session'

/**
 * Encodes each name as three private-use characters. They form one entry of a trigram index, so that a filter costs no more than one
 * additional search word.
 */
export interface Tags {
  /** Empty if no text has this name. */
  known(kind: TagKind, name: string): string
  made(kind: TagKind, name: string): string
}

export function createFilterTerms(db: Connection): Tags {
  const get = db.prepare<[TagKind, string], number>('SELECT number FROM tagged WHERE kind = ? AND name = ?').pluck()
  const insert = db.prepare<[TagKind, string]>('INSERT INTO tagged (kind, name) VALUES (?, ?)')
  const known = (kind: TagKind, name: string): string => tagOf(get.get(kind, name))
  return {
    known,
    made: (kind, name) => known(kind, name) || tagOf(Number(insert.run(kind, name).lastInsertRowid)),
  }
}

/** A character that begins a tag never occurs later in one, so that two adjacent tags never look like a third tag. */
const FIRST = 0xe000
const DIGITS = 0xe100
const BASE = 4_096

/** A tag that no text has. The numbers of names begin at 1. */
export const NO_TAG = tagOf(0)

function tagOf(number: number | undefined): string {
  if (number === undefined) return ''
  const low = String.fromCodePoint(DIGITS + (Math.floor(number / BASE) % BASE), DIGITS + (number % BASE))
  return String.fromCodePoint(FIRST + Math.floor(number / BASE ** 2)) + low
}
