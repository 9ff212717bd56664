import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { TerminalStatus } from '../../../../shared/api/terminals.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { endCommand } from '../../../state/commands/actions.ts'
import { commandTerminalSource } from '../../../state/commands/command-terminal-source.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TerminalView } from '../../../ui/terminal/terminal-view.tsx'
import styles from './person-terminals.module.css'

/** The terminals that the user opened in the folder of this session, shown below the diff. Renders nothing when there are none. */
export function PersonTerminals({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const [all, setAll] = useState<readonly TerminalStatus[]>([])
  useEffect(() => {
    const kept = desk.connection.keep(async (client, signal) => {
      for await (const status of client.terminals.own({}, signal)) setAll(status)
    })
    return () => kept.dispose()
  }, [desk])
  const own = all.filter((one) => one.sessionId === sessionId).toReversed()
  if (own.length === 0) return null
  return (
    <section className={styles.own} aria-label="Your terminals">
      {own.map(({ toolCallId }, index) => (
        <OwnTerminal key={toolCallId} sessionId={sessionId} toolCallId={toolCallId} number={own.length - index} />
      ))}
    </section>
  )
}

interface OwnTerminalProps extends Pick<TerminalStatus, 'sessionId' | 'toolCallId'> {
  readonly number: number
}

function OwnTerminal({ sessionId, toolCallId, number }: OwnTerminalProps): ReactNode {
  const desk = useDesk()
  const source = useMemo(() => commandTerminalSource(desk, sessionId, toolCallId), [desk, sessionId, toolCallId])
  return (
    <div id={`own-${toolCallId}`}>
      <p className={styles.head}>
        <strong>Your terminal</strong>
        <span>Press Enter to run the typed command. The agent does not see this terminal.</span>
        <span className="push" />
        <Button
          small
          variant="quiet"
          label={`Close terminal ${number}`}
          tip="Stops the shell and everything that it started."
          onPress={() => void endCommand(desk, sessionId, toolCallId)}
        >
          Close terminal
        </Button>
      </p>
      <div className={styles.screen}>
        <TerminalView
          label={`Your terminal ${number}`}
          source={source}
          onLink={(url) => void desk.connection.client?.app.openLink({ url })}
        />
      </div>
    </div>
  )
}
