import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Item } from '../../../shared/session/state.ts'
import { messageAsTyped } from '../../../shared/session/person-message.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import type { Store } from '../../store/store.ts'

/** Maximum number of newest entries that are examined. */
const MAX_ITEMS = 400
const MAX_REQUESTS = 12
const MAX_FILES = 40
/** Maximum number of characters of a request, and of the last answer. */
const REQUEST_CHARS = 400
const ANSWER_CHARS = 6_000

/**
 * Text for a message that says what another session was about: its link, the user's requests, the files it changed and its last answer. No
 * model writes this text, so it costs nothing. Known keys are hidden. Null if there is no such session.
 */
export function sessionSummary(
  { store, redactor }: { readonly store: Pick<Store, 'ledger'>; readonly redactor: Pick<Redactor, 'text'> },
  sessionId: SessionId,
): string | null {
  const state = store.ledger.snapshot(sessionId, MAX_ITEMS)
  if (!state) return null
  const { items, title, cwd, startedAt, updatedAt } = state
  const requests = items.flatMap((item) => (item.kind === 'user' ? [`- ${clipped(messageAsTyped(item), REQUEST_CHARS)}`] : []))
  const files = [...new Set(items.flatMap(changedFiles))]
  const answer = items.findLast((item) => item.kind === 'prose' && item.text.trim() !== '')
  const parts = [
    `Summary of the session “${title || 'Session'}”: countersign://session/${sessionId}\nIn ${cwd}, from ${day(startedAt)} to ${day(updatedAt)}.`,
    ...listed('What was asked', requests.slice(-MAX_REQUESTS), requests.length),
    ...listed('Files it changed', files.slice(-MAX_FILES), files.length),
    ...(answer?.kind === 'prose' ? [`Its last answer:\n${clipped(answer.text, ANSWER_CHARS)}`] : []),
  ]
  return redactor.text(parts.join('\n\n'))
}

function changedFiles(item: Item): readonly string[] {
  return item.kind === 'call' ? item.files.map(({ shown }) => `- ${shown}`) : []
}

function listed(name: string, lines: readonly string[], of: number): readonly string[] {
  if (lines.length === 0) return []
  return [`${name}${lines.length < of ? ` (the last ${lines.length} of ${of})` : ''}:\n${lines.join('\n')}`]
}

const clipped = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text).trim()

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
