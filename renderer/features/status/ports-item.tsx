import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showTab } from '../../state/commands/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { useSessionPorts } from '../../state/views/session-ports.ts'
import { StatusItem } from '../../ui/frame/status-strip.tsx'
import styles from './status.module.css'

/** Says that programs of the session listen on another machine or in a layer, with a way to open their ports here. */
export function PortsItem({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const ports = useSessionPorts(sessionId)
  const [first] = ports
  if (!first) return null
  const words = ports.length === 1 ? `Port ${first.port}` : `${ports.length} ports`
  return (
    <StatusItem>
      <button
        type="button"
        className={styles.way}
        data-tip="Programs listen where this session works. The Terminal tab opens their ports on this computer."
        onClick={() => showTab(desk, 'terminal')}
      >
        {words}
      </button>
    </StatusItem>
  )
}
