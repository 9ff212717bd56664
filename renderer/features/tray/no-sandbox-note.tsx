import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem, Item } from '../../../shared/session/state.ts'
import { useDesk, useSession } from '../../state/desk-context.ts'
import { useSandbox } from '../../state/hooks/use-sandbox.ts'
import styles from './tray.module.css'

export interface NoSandboxNoteProps {
  readonly sessionId: SessionId
  readonly call: CallItem
}

/** A note below a session's first command: why commands do not run in a copy first, and what to type to change that. */
export function NoSandboxNote({ sessionId, call }: NoSandboxNoteProps): ReactNode {
  const folder = useStore(useDesk().list, ({ sessions }) => sessions.get(sessionId)?.folder ?? '')
  const sandbox = useSandbox(folder)
  const isFirst = useSession(
    sessionId,
    ({ firstItem, items }) => firstItem === 0 && items.find((item) => asksToRun(item))?.id === call.id,
    false,
  )
  if (sandbox?.kind !== 'absent' || !isFirst) return null
  return (
    <p className={styles.noSandbox}>
      No sandbox: commands run directly in the folder. {sandbox.reason} <span className={styles.wayOut}>{sandbox.wayOut}</span>
    </p>
  )
}

const asksToRun = (item: Item): boolean =>
  item.kind === 'call' && item.approval !== null && item.effects.some(({ kind }) => kind === 'command')
