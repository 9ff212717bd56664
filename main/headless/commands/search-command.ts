import { indexAll } from '../../history/history-search.ts'
import { FOUND_IN, type FoundIn, type HistoryHit, isLongEnough, MIN_LETTERS, NO_FILTERS, wordsOf } from '../../../shared/api/history.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { App } from '../../compose/app.ts'
import { complain, failWith, type Write } from '../report/standard-output.ts'
import type { CommandValues, CommandWork } from './command.ts'
import { visibleLine } from '../report/visible-text.ts'

const PLACES: Readonly<Record<FoundIn, string>> = {
  you: 'your message',
  answer: 'answer',
  plan: 'plan',
  diff: 'change of',
  refused: 'refused change, not applied, of',
  run: 'command',
  output: 'output',
}

export function searchCommand([words = '']: readonly string[], values: CommandValues): Result<CommandWork, string> {
  const { in: place, changed: touched = '', json = false } = values
  const foundIn = FOUND_IN.find((one) => one === place) ?? null
  if (place !== undefined && foundIn === null) return failed(`--in takes ${FOUND_IN.join(', ')}, not "${place}".`)
  if (!wordsOf(words).some(isLongEnough)) return failed(`A search needs a word with at least ${MIN_LETTERS} letters.`)
  return ok(({ withApp, write }) => withApp((app) => search({ words, foundIn, touched, json }, app, write)))
}

interface Search {
  readonly words: string
  /** Null for all places. */
  readonly foundIn: FoundIn | null
  /** Part of a path, or a glob. Empty for all sessions. */
  readonly touched: string
  readonly json: boolean
}

/** Returns the exit code: 1 if nothing is found or the index cannot be read. Known keys are hidden. */
async function search({ words, foundIn, touched, json }: Search, { history, store, redactor }: App, write: Write): Promise<number> {
  await indexAll(history)
  const found = await history.search({ ...NO_FILTERS, words, foundIn, touched, order: 'newest', perSession: null })
  if (!found.ok) return failWith(found.failure)
  const { hits, total, isBound } = found.value
  for (const hit of hits) {
    const text = json ? JSON.stringify(hit) : readable(hit, store.sessions.get(hit.sessionId)?.title ?? '')
    write(`${redactor.text(text)}\n`)
  }
  if (hits.length < total) complain(`${hits.length} of ${isBound ? 'more than ' : ''}${total} are listed. Add words to find fewer.\n`)
  if (total === 0) complain('Nothing was found.\n')
  return total === 0 ? 1 : 0
}

function readable({ at, sessionId, step, foundIn, path, parts }: HistoryHit, title: string): string {
  const place = [PLACES[foundIn], ...(path === null ? [] : [path])].join(' ')
  const where = [`${visibleLine(title || 'untitled')} (${sessionId})`, ...(step > 0 ? [`step ${step}`] : []), visibleLine(place)]
  const lines = parts.join('').trimEnd().split('\n')
  return [`${new Date(at).toISOString()} ${where.join(', ')}`, ...lines.map((line) => `  ${visibleLine(line)}`)].join('\n')
}
