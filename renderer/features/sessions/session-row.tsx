import { memo, type ReactNode, useContext, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { SOURCE_NAMES } from '../../../shared/api/transfer.ts'
import { renameSession } from '../../state/commands/actions.ts'
import { isBesideFolder } from '../../state/commands/layer-actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { isBusy } from '../../state/stores/session-list.ts'
import { inBackground } from '../../state/stores/terminals/command-terminals.ts'
import { NameField } from '../../ui/controls/name-field.tsx'
import { counted, shortAge } from '../../ui/format.ts'
import { ListRow } from '../../ui/frame/list-row.tsx'
import { keyboardPlatform, keysOf, PersonKeysContext } from '../../ui/marks/key-labels.ts'
import { Dot, type DotState } from '../../ui/marks/dot.tsx'
import { VisuallyHidden } from '../../ui/notices/screen-reader.tsx'
import { SessionMenu } from './session-menu.tsx'
import styles from './sessions.module.css'

export interface SessionRowProps {
  readonly session: SessionSummary
  /** The subject of the session. Empty before the first request. */
  readonly title: string
  /** What the session needs from the user. Null if it needs nothing. */
  readonly need: string | null
  readonly selected: boolean
  /** Whether a turn of the session has finished, or a background command has failed, that the user has not seen. */
  readonly unread: boolean
  readonly now: number
  readonly onOpen: (session: SessionSummary) => void
  readonly tabIndex: number
}

/** A session in the list: its state, its title, and either its number of steps or its age. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps): ReactNode {
  const { session, title, need, selected, unread, now, onOpen } = props
  const desk = useDesk()
  const [isEditing, setEditing] = useState(false)
  const row = useRef<HTMLButtonElement>(null)
  const renameKeys = useContext(PersonKeysContext)('F2')
  const state = dotOf(session, need, unread)
  const beside = useStore(desk.commandTerminals, (terminals) => inBackground(terminals, session.sessionId))
  const source = useStore(desk.flags, ({ forks }) => forks.get(session.sessionId))
  const from = useStore(desk.list, ({ sessions }) => (source === undefined ? undefined : sessions.get(source)?.title))
  const program = useStore(desk.flags, ({ imported }) => imported.get(session.sessionId))
  const importWords = program && `Imported from ${SOURCE_NAMES[program]}`
  const forkWords = source === undefined ? importWords : `Fork of ${from || 'a deleted session'}`
  const isRunning = state === 'running'
  if (isEditing) {
    const done = (name: string | null, before: Element | null): void => {
      flushSync(() => setEditing(false))
      if (name !== null) renameSession(desk, session.sessionId, name)
      if (before) row.current?.focus({ preventScroll: true })
    }
    return (
      <div className={styles.edited}>
        <NameField label="Name of the session" name={title} whileEmpty="Named after the request" onDone={done} />
      </div>
    )
  }
  return (
    <ListRow
      ref={row}
      onDoublePress={() => setEditing(true)}
      onKeyDown={(event) => {
        if (keysOf(event, keyboardPlatform() === 'mac') !== renameKeys) return
        event.preventDefault()
        setEditing(true)
      }}
      tabIndex={props.tabIndex}
      lead={state === 'idle' ? undefined : <Dot state={state} />}
      title={title || 'New session'}
      below={need ?? session.failedCommand?.words ?? (beside === 0 ? forkWords : counted(beside, 'background command'))}
      end={
        need === null ? (
          <>
            {isBesideFolder(session.config) && 'beside '}
            {isRunning ? session.steps > 0 && <Steps count={session.steps} /> : shortAge(session.updatedAt, now)}
          </>
        ) : undefined
      }
      actions={session.parent === null ? <SessionMenu session={session} onRename={() => setEditing(true)} /> : undefined}
      lazyActions
      renderMenu={session.parent === null ? (at) => <SessionMenu session={session} onRename={() => setEditing(true)} at={at} /> : undefined}
      unread={unread || need !== null}
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

function dotOf(session: SessionSummary, need: string | null, unread: boolean): DotState {
  if (need !== null) return 'needs'
  // If the session is busy but not running, the process of its turn died, and no other process has taken it over.
  if (isBusy(session)) return session.running ? 'running' : 'failed'
  if (session.ended === 'error' || session.ended === 'interrupted') return 'failed'
  return unread ? 'unread' : 'idle'
}
