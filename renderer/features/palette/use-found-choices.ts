import type { AppClient } from '../../../shared/api/contract.ts'
import { type HistoryHit, MIN_LETTERS } from '../../../shared/api/history.ts'
import { searchSessions, showEntry } from '../../state/commands/actions.ts'
import { openInEditor } from '../../state/commands/files/file-actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { useAnswer } from '../../state/use-answer.ts'
import type { Desk } from '../../state/desk.ts'
import { type Choice, fileChoice, slashChoice } from './palette-choices.ts'

const NONE: readonly Choice[] = []
/** Maximum number of listed search hits. */
const MAX_LISTED = 5

/** The session that the palette acts on, with its folder. Null if no session is open. */
function currentOf(desk: Desk) {
  const { sessionId } = desk.view.getState()
  const folder = sessionId === null ? undefined : desk.list.getState().sessions.get(sessionId)?.folder
  return sessionId === null || folder === undefined ? null : { sessionId, folder }
}

/** Asks main for choices, and asks again whenever `key` changes. Until then, the choices for the previous `key` are shown. A failure counts as no choices. */
function useChoices(ask: ((client: AppClient) => Promise<readonly Choice[]>) | null, key: string): readonly Choice[] {
  const { last } = useAnswer(key, ask && ((client) => ask(client).catch(() => NONE)))
  return ask === null ? NONE : (last ?? NONE)
}

/** The slash commands and skills of the current session's folder. */
export function useSlashChoices(): readonly Choice[] {
  const desk = useDesk()
  const current = currentOf(desk)
  const ask = async (client: AppClient): Promise<readonly Choice[]> => {
    if (!current) return NONE
    const { commands } = await client.workspace.commands({ folder: current.folder })
    return commands.map((command) => slashChoice(desk, current.sessionId, command))
  }
  return useChoices(current && ask, current?.folder ?? '')
}

/** Matching files of the current session's folder. Files that were opened before come first. */
export function useFileChoices(typed: string, isWanted: boolean): readonly Choice[] {
  const desk = useDesk()
  const current = currentOf(desk)
  const ask = async (client: AppClient): Promise<readonly Choice[]> => {
    if (!current) return NONE
    const { folder, sessionId } = current
    const recent = desk.used.after(`path:${folder}:`).slice(0, 100)
    const { paths } = await client.workspace.files({ folder, typed, recent: [...recent] })
    return paths.map((path) =>
      fileChoice(desk, sessionId, path, () => {
        desk.used.use(`path:${folder}:${path}`)
        openInEditor(desk, { sessionId, path })
      }),
    )
  }
  return useChoices(isWanted && current ? ask : null, `${current?.folder ?? ''}\n${typed}`)
}

/** Hits in the history of all sessions, and a choice that opens the complete search. */
export function useHistoryChoices(typed: string): readonly Choice[] {
  const desk = useDesk()
  const words = typed.trim()
  const ask = async (client: AppClient): Promise<readonly Choice[]> => {
    const reply = await client.history.search({ words, order: 'best' })
    const hits = reply.ok ? reply.answer.hits.slice(0, MAX_LISTED) : []
    return hits.map((hit) => hitChoice(desk, hit))
  }
  const hits = useChoices(words.length >= MIN_LETTERS ? ask : null, words)
  if (words.length < MIN_LETTERS) return NONE
  const whole: Choice = {
    id: 'search-all',
    group: 'History',
    words: `Search all sessions for “${words}”`,
    found: true,
    run: () => searchSessions(desk, words),
  }
  return [...hits, whole]
}

function hitChoice(desk: Desk, { sessionId, seq, item, step, foundIn, parts }: HistoryHit): Choice {
  const title = desk.list.getState().sessions.get(sessionId)?.title ?? ''
  const words = parts.join('').replaceAll(/\s+/gu, ' ').trim()
  const text = foundIn === 'refused' ? `refused, not applied: ${words}` : words
  return {
    id: `hit:${sessionId}:${seq}`,
    group: 'History',
    words: title || 'New session',
    found: true,
    aside: step > 0 ? `step ${step}  ${text}` : text,
    run: () => showEntry(desk, sessionId, item),
  }
}
