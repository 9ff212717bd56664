import { type ReactNode, useEffect, useState } from 'react'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { useSession } from '../../state/desk-context.ts'
import { prepareTerminals } from '../../ui/terminal/terminal-view.tsx'
import { AgentCommands } from './agent-commands.tsx'
import { commandsOf } from './command-facts.ts'
import { OwnTerminalView } from './own-terminals/own-terminal-view.tsx'
import { OwnTerminalsBar } from './own-terminals/own-terminals-bar.tsx'
import { SessionPorts } from './session-ports.tsx'
import styles from './own-terminals/own-terminals.module.css'
import { useOwnTerminals } from './own-terminals/use-own-terminals.ts'

/** The agent's commands, or the user's own terminals. */
export function TerminalTab({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const commands = useSession(sessionId, (session) => commandsOf(session).length, 0)
  const { own, shown } = useOwnTerminals(sessionId)
  const [renaming, setRenaming] = useState<ToolCallId | null>(null)
  useEffect(prepareTerminals, [])
  return (
    <>
      <OwnTerminalsBar sessionId={sessionId} own={own} shown={shown} commands={commands} onRename={setRenaming} />
      <SessionPorts sessionId={sessionId} />
      {shown.length === 0 ? (
        <AgentCommands sessionId={sessionId} />
      ) : (
        <div className={styles.room}>
          {shown.map((terminal) => (
            <OwnTerminalView
              key={terminal.toolCallId}
              terminal={terminal}
              isRenaming={renaming === terminal.toolCallId}
              onRenamed={() => setRenaming(null)}
            />
          ))}
        </div>
      )}
    </>
  )
}
