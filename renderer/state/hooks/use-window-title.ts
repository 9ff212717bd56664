import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import { useDesk, useView } from '../desk-context.ts'
import { titleOfSession } from '../views/families.ts'
import { attentionOf } from '../views/needs.ts'
import { clipped } from '../../ui/format.ts'
import { titleOf } from '../views/request-title.ts'
import type { OpenSession } from '../stores/session-store.ts'

const NONE = createStore<OpenSession>(() => ({ session: null, isMissing: false, resetWhy: null, loadingOlder: false }))

/** The window's title: what waits for a signature before all else, then what is on screen. Seen in tabs and task bars while the window is not. */
export function useWindowTitle(): void {
  const desk = useDesk()
  const { sessionId, seen, dismissed } = useView((view) => ({ sessionId: view.sessionId, seen: view.seen, dismissed: view.dismissed }))
  const asked = useStore(sessionId ? desk.session(sessionId).store : NONE, ({ session }) => {
    const [call] = session ? pendingCalls(session) : []
    return call ? titleOf(call) : null
  })
  const title = useStore(desk.list, ({ sessions }) => {
    const { needs, unread } = attentionOf(sessions.values(), { seen, dismissed })
    const first = needs[0] ?? unread[0]
    return windowTitle({
      asked,
      needs: needs.length,
      unread: unread.length,
      first: titleOfSession(sessions, first && sessions.get(first)),
      shown: sessionId ? titleOfSession(sessions, sessions.get(sessionId)) : '',
    })
  })
  useEffect(() => {
    document.title = title
  }, [title])
}

export interface TitleFacts {
  /** What the session on screen asks to be signed; null for nothing. */
  readonly asked: string | null
  /** Sessions that need their person, and those that finished since they looked. */
  readonly needs: number
  readonly unread: number
  /** Title of the first of the former, else of the latter. */
  readonly first: string
  /** Title of the session on screen. */
  readonly shown: string
}

/** Characters of a session's title in the title of the window: task bars show no more. */
const LONGEST = 48

/**
 * "● Sign: edit format.ts — Countersign"; "● 2 sessions need you: March invoices — Countersign"; "○ Finished: PDF worker — Countersign";
 * "March invoices — Countersign".
 */
export function windowTitle({ asked, needs, unread, first, shown }: TitleFacts): string {
  return [waiting(asked, needs, first) ?? finished(unread, first) ?? (clipped(shown, LONGEST) || null), 'Countersign']
    .filter((part) => part !== null)
    .join(' — ')
}

function waiting(asked: string | null, needs: number, first: string): string | null {
  if (asked !== null) return `● Sign: ${withName(asked)}`
  if (needs === 0) return null
  const about = first === '' ? '' : `: ${clipped(first, LONGEST)}`
  return `● ${needs === 1 ? 'One session needs you' : `${needs} sessions need you`}${about}`
}

function finished(unread: number, first: string): string | null {
  if (unread === 0) return null
  return `○ ${unread === 1 ? 'Finished' : `${unread} sessions finished`}${first === '' ? '' : `: ${first}`}`
}

/** In the room of a tab the name of a file says more than its folders. */
function withName(asked: string): string {
  const [verb = '', ...object] = asked.split(' ')
  const words = object.join(' ')
  const name = words.slice(Math.max(words.lastIndexOf('/'), words.lastIndexOf('\\')) + 1)
  return `${verb.toLowerCase()} ${name}`
}
