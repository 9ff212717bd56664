import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../../shared/api/sessions.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { attemptRequest, report } from '../../../state/commands/attempt-request.ts'
import { useDesk } from '../../../state/desk-context.ts'
import type { Desk } from '../../../state/desk.ts'
import { byUse } from '../../../state/stores/used-choices.ts'
import { nameOf } from '../../../state/stores/session-list.ts'
import { calendarDay } from '../../../ui/format.ts'
import type { CompletionTarget, CompletionOption } from './completion-target.ts'

/** Maximum number of sessions offered. Sessions that were used before come first, then the newest sessions. */
const MAX_OPTIONS = 5
const NONE: readonly CompletionOption[] = []
const NO_SESSIONS: ReadonlyMap<SessionId, SessionSummary> = new Map()

/** Past sessions with matching titles. Choosing a session attaches its summary and its link to the message. */
export function useSessionOptions(sessionId: SessionId, completing: CompletionTarget | null): readonly CompletionOption[] {
  const desk = useDesk()
  const typed = completing?.kind === 'path' ? completing.typed.toLowerCase() : ''
  // Without a search, the selector returns a constant, so changes to the list do not re-render the composer.
  const sessions = useStore(desk.list, (list) => (typed === '' ? NO_SESSIONS : list.sessions))
  return useMemo(() => {
    if (typed === '') return NONE
    const fits = ({ title, parent, sessionId: id }: SessionSummary): boolean =>
      parent === null && id !== sessionId && title.toLowerCase().includes(typed)
    const found = [...sessions.values()]
      .filter(fits)
      .toSorted((a, b) => b.updatedAt - a.updatedAt)
      .map((session) => optionOf(desk, sessionId, session))
    return byUse(found, desk.used).slice(0, MAX_OPTIONS)
  }, [desk, sessions, sessionId, typed])
}

function optionOf(desk: Desk, into: SessionId, { sessionId, title, folder, updatedAt }: SessionSummary): CompletionOption {
  return {
    id: `session:${sessionId}`,
    used: `session:${sessionId}`,
    words: title,
    about: `${nameOf(folder)}, ${calendarDay(updatedAt)}`,
    origin: 'session',
    text: `[${title.replaceAll(/[[\]]/g, '')}](countersign://session/${sessionId}) `,
    run: () => void attach(desk, into, sessionId),
  }
}

async function attach(desk: Desk, into: SessionId, sessionId: SessionId): Promise<void> {
  const attached = attemptRequest(desk, 'The summary of the session was not attached', async (client) => {
    const { text } = await client.transfer.summary({ sessionId })
    const texts = desk.draftTexts.get(into)
    if (text !== null && !texts.includes(text)) desk.draftTexts.set(into, [...texts, text])
    return { ok: true }
  })
  await report(desk, attached)
}
