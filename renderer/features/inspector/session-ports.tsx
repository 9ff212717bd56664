import { type ReactNode, useState } from 'react'
import type { SessionPort } from '../../../shared/places/ports-api.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { attemptRequest, report } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { useOpenLink } from '../../state/hooks/use-open-link.ts'
import { useSessionPorts } from '../../state/views/session-ports.ts'
import { Button } from '../../ui/controls/button.tsx'
import { OutsideLink } from '../../ui/text/outside-link.tsx'
import styles from './inspector.module.css'

/** The ports of the session's programs on another machine or in a layer. A press forwards one to this computer, or stops it. */
export function SessionPorts({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const ports = useSessionPorts(sessionId)
  if (ports.length === 0) return null
  return (
    <ul className={styles.ports} aria-label="Ports of this session’s programs">
      {ports.map((one) => (
        <PortRow key={one.port} sessionId={sessionId} {...one} />
      ))}
    </ul>
  )
}

function PortRow({ sessionId, port, program, url }: SessionPort & { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const open = useOpenLink()
  const [isBusy, setBusy] = useState(false)
  const forward = async (): Promise<void> => {
    setBusy(true)
    const asked = attemptRequest(desk, `Port ${port} was not forwarded`, async (client) => {
      const done = await client.ports.forward({ sessionId, port })
      return done.ok ? { ok: true } : { ok: false, trouble: done.failure }
    })
    await report(desk, asked)
    setBusy(false)
  }
  return (
    <li className={styles.port}>
      <span>
        Port <span className="num">{port}</span>
        <span className="dim">{program === null ? ', nothing listens' : `, ${program}`}</span>
      </span>
      {url === null ? (
        <Button
          variant="quiet"
          small
          busy={isBusy}
          tip="Opens a port on this computer, only for this computer, that leads to the program"
          label={`Forward port ${port}`}
          onPress={() => void forward()}
        >
          Forward
        </Button>
      ) : (
        <>
          <OutsideLink url={url} open={open}>
            {new URL(url).host}
          </OutsideLink>
          <Button
            variant="quiet"
            small
            label={`Stop forwarding port ${port}`}
            onPress={() => void desk.connection.client?.ports.stop({ sessionId, port })}
          >
            Stop
          </Button>
        </>
      )}
    </li>
  )
}
