import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import { useDesk, useView } from '../desk-context.ts'
import { titleOfSession } from '../views/session-families.ts'
import { attentionOf } from '../views/session-needs.ts'
import { clipped } from '../../ui/format.ts'
import { requestTitle, type RequestTitle } from '../views/request-title.ts'
import type { OpenSession } from '../stores/session-store.ts'

const NONE = createStore<OpenSession>(() => ({ session: null, isMissing: false, resetWhy: null, loadingOlder: false }))

/**
 * Sets the window title, which is visible in tabs and task bars: first the request that waits for a signature, then the current session.
 */
export function useWindowTitle(): void {
  const desk = useDesk()
  const sessionId = useView((view) => view.sessionId)
  const known = useView(({ seen, dismissed }) => ({ seen, dismissed }))
  const asked = useStore(sessionId ? desk.session(sessionId).store : NONE, ({ session }) => {
    const [call] = session ? pendingCalls(session) : []
    return call ? waitingTitle(requestTitle(call)) : null
  })
  const arranged = useStore(desk.list, (list) => list.arranged)
  const { needs, unread } = useMemo(() => attentionOf(arranged.values(), known), [arranged, known])
  const title = useStore(desk.list, ({ sessions }) => {
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
  /** The waiting request of the current session, as `waitingTitle` returns it. Null if there is none. */
  readonly asked: string | null
  /** Number of sessions that need the user. The next field is the number of sessions with a completed turn that the user has not seen. */
  readonly needs: number
  readonly unread: number
  /** Title of the first session that needs the user, otherwise of the first unread session. */
  readonly first: string
  /** Title of the current session. */
  readonly shown: string
}

/** Maximum number of characters of a session title in the window title. Task bars show no more. */
const LONGEST = 48

/**
 * Returns titles such as "● Sign: edit format.ts — Countersign", "● 2 sessions need you: March invoices — Countersign", "○ Finished: PDF
 * worker — Countersign", "March invoices — Countersign".
 */
export function windowTitle({ asked, needs, unread, first, shown }: TitleFacts): string {
  return [waiting(asked, needs, first) ?? finished(unread, first) ?? (clipped(shown, LONGEST) || null), 'Countersign']
    .filter((part) => part !== null)
    .join(' — ')
}

function waiting(asked: string | null, needs: number, first: string): string | null {
  if (asked !== null) return `● Sign: ${asked}`
  if (needs === 0) return null
  const about = first === '' ? '' : `: ${clipped(first, LONGEST)}`
  return `● ${needs === 1 ? 'One session needs you' : `${needs} sessions need you`}${about}`
}

function finished(unread: number, first: string): string | null {
  if (unread === 0) return null
  return `○ ${unread === 1 ? 'Finished' : `${unread} sessions finished`}${first === '' ? '' : `: ${first}`}`
}

/** A request in the window title: "edit format.ts", "run npm test". A file is shown without its folders, because tabs are narrow. */
export function waitingTitle({ verb, object, path }: RequestTitle): string {
  const name = path === null ? object : object.slice(Math.max(object.lastIndexOf('/'), object.lastIndexOf('\\')) + 1)
  return `${verb.toLowerCase()} ${name}`.trimEnd()
}
