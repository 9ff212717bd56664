import { memo, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { isBusy } from '../../state/session-list.ts'
import { inBackground } from '../../state/standing-store.ts'
import { counted, shortAge } from '../../ui/format.ts'
import { ListRow } from '../../ui/frame/list-row.tsx'
import { Dot, type DotState } from '../../ui/marks/dot.tsx'
import { VisuallyHidden } from '../../ui/notices/visually-hidden.tsx'

export interface SessionRowProps {
  readonly session: SessionSummary
  /** What it is about; empty before the first request. */
  readonly title: string
  /** What it needs, in words; null for nothing. */
  readonly need: string | null
  readonly selected: boolean
  /** Its newest event when it was last on screen; 0 for never. */
  readonly seenTo: number
  readonly now: number
  readonly onOpen: (session: SessionSummary) => void
  readonly tabIndex: number
}

/** A session in the list: how it stands, what it is about, how far or how old. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps): ReactNode {
  const { session, title, need, selected, seenTo, now, onOpen } = props
  const state = dotOf(session, need, !selected && session.cursor > seenTo)
  const beside = useStore(useDesk().standing, (standing) => inBackground(standing, session.sessionId))
  const isRunning = state === 'running'
  return (
    <ListRow
      tabIndex={props.tabIndex}
      lead={state === 'idle' ? undefined : <Dot state={state} />}
      title={title || 'New session'}
      below={need ?? (beside === 0 ? undefined : beside === 1 ? '1 runs in the background' : `${beside} run in the background`)}
      end={need === null ? isRunning ? <Steps count={session.steps} /> : shortAge(session.updatedAt, now) : undefined}
      unread={state === 'unread' || (need !== null && session.need !== null)}
      selected={selected}
      tip={title.length > 28 ? title : undefined}
      onPress={() => onOpen(session)}
    />
  )
})

function Steps({ count }: { readonly count: number }): ReactNode {
  return (
    <span data-tip={counted(count, 'step')}>
      {count}
      <VisuallyHidden> {count === 1 ? 'step' : 'steps'}</VisuallyHidden>
    </span>
  )
}

function dotOf(session: SessionSummary, need: string | null, isNew: boolean): DotState {
  if (need !== null) return 'needs'
  // a turn that nobody runs any more: its process died, and nobody has taken it over yet
  if (isBusy(session)) return session.running ? 'running' : 'failed'
  if (session.ended === 'error' || session.ended === 'interrupted') return 'failed'
  return isNew && session.steps > 0 ? 'unread' : 'idle'
}
