import { Layers } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showSession } from '../../state/commands/actions.ts'
import { bringIn } from '../../state/commands/layer-actions.ts'
import { useDesk, useOfflineReason, useSession } from '../../state/desk-context.ts'
import { useMovedFolder } from '../../state/hooks/changes/use-moved-folder.ts'
import { Button } from '../../ui/controls/button.tsx'
import { clipped } from '../../ui/format.ts'
import styles from './work.module.css'

export interface BringInFootProps {
  readonly sessionId: SessionId
  /** The session whose work is brought in. */
  readonly from: SessionId
}

/** In place of the message field of a session that brings in the work of another one. */
export function BringInFoot({ sessionId, from }: BringInFootProps): ReactNode {
  const desk = useDesk()
  const source = useStore(desk.list, ({ sessions }) => sessions.get(from))
  const isIdle = useSession(sessionId, ({ run }) => run === 'IDLE', false)
  const offline = useOfflineReason()
  const { moved } = useMovedFolder(from, isIdle)
  const isAllIn = moved?.own === 0
  if (!source) return <p className={styles.foot}>The session whose work was brought in here is deleted, with what was left to bring in.</p>
  return (
    <div className={styles.foot}>
      <Button variant="quiet" small icon={Layers} onPress={() => showSession(desk, from)}>
        Back to {clipped(source.title, 32) || 'the session'}
      </Button>
      {isIdle && !isAllIn && (
        <Button className="push" small disabledReason={offline} onPress={() => void bringIn(desk, from)}>
          Bring in what is left
        </Button>
      )}
    </div>
  )
}
