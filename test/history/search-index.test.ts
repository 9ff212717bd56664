import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type IndexedEvent, openSearchIndex, type SearchIndex } from '../../main/history/search-index.ts'
import { type HistoryQuery, wordsOf } from '../../shared/api/history.ts'
import { session } from '../store/support/stores.ts'
import { ANY } from './any-query.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

const QUERY: HistoryQuery = { ...ANY, words: 'needle' }

const event = (seq: number, sessionId = 's'): IndexedEvent => ({
  seq,
  sessionId: session(sessionId),
  folder: '/w',
  at: 5,
  item: 0,
  step: 0,
  isCut: false,
  texts: [{ foundIn: 'you', text: `needle ${seq}`, path: null }],
})

/** Opens the index of this folder twice, as two processes would. */
function indexes(folder: string, deleted: ReadonlySet<string> = new Set()): readonly [SearchIndex, SearchIndex] {
  const about = (id: string) => (deleted.has(id) ? null : ({ model: 'm', state: 'done' } as const))
  const open = (): SearchIndex => openSearchIndex(new Database(join(folder, 'search.db')), about)
  return [open(), open()]
}

test('two processes that read the same events at the same time add each of them once', () => {
  const [mine, other] = indexes(tempFolder())
  mine.add([event(1), event(2)], 2)
  other.add([event(1), event(2), event(3)], 3)
  mine.add([event(1)], 1)
  expect(mine.search(QUERY).hits.map(({ seq }) => seq)).toEqual([3, 2, 1])
  expect(mine.position()).toBe(3)
})

test.each([
  ['a "b c" d', ['a', 'b c', 'd']],
  ['say "hello wor', ['say', 'hello wor']],
  ['5" disk', ['5"', 'disk']],
  ['"', ['"']],
  ['""', ['""']],
])('the words of the search %j are %j, also while a phrase is being typed', (typed, words) => expect(wordsOf(typed)).toEqual(words))

test('the texts of a session are not stored if the session is deleted while they are read', () => {
  const deleted = new Set(['gone'])
  const [mine, other] = indexes(tempFolder(), deleted)
  mine.add([event(1, 'gone'), event(2, 'kept')], 2)
  deleted.clear()
  expect(other.search(QUERY).hits.map(({ sessionId }) => sessionId)).toEqual(['kept'])
})

test.each([
  ['getMonth', 1],
  ['GETMONTH("', 1],
  ['"x getMonth" unique', 1],
  ['getYear tenth', 0],
  ['get', 3],
  ['getmonth tenth', 0],
  ['💚💙💛💜', 1],
])('with filters, %s finds only texts with the whole words', (words, total) => {
  const [index] = indexes(tempFolder())
  const texts = ['x getMonth("unique") 💚💙💛💜', 'get the tenth', 'tenth getter 💚💙💛 💙💛💜']
  index.add(
    texts.map((text, at) => ({ ...event(at + 1), texts: [{ foundIn: 'run', text, path: null }] })),
    texts.length,
  )
  expect(index.search({ ...QUERY, words, folder: '/w', foundIn: 'run', sessionId: session('s') }).total).toBe(total)
  expect(index.search({ ...QUERY, words, folder: '/w', order: 'best' }).total).toBe(total)
})
