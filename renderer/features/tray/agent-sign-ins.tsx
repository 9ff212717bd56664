import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { AgentSummary } from '../../../shared/agents/other-agents-api.ts'
import { useOtherAgents } from '../../state/agents/use-other-agents.ts'
import { agentIn } from '../../state/commands/actions.ts'
import { openOwnTerminal } from '../../state/commands/own-terminals.ts'
import { useDesk, useOfflineReason, useSession } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ForeignText } from '../../ui/text/exact-text.tsx'

/** The third-party agent of a session if nobody is signed in to its account and ways to sign in are known. Without `isWanted`, null. */
export function useSignedOutAgent(sessionId: SessionId, isWanted: boolean): AgentSummary | null {
  const id = useSession(sessionId, ({ config }) => agentIn(config.where), null)
  const { found } = useOtherAgents(isWanted)
  const agent = found?.agents.find((one) => one.id === id)
  return isWanted && agent && agent.signIns.length > 0 ? agent : null
}

/** The ways to sign in to the account of an agent. Each opens a terminal in which its command is typed, not run. */
export function AgentSignIns({ sessionId, agent }: { readonly sessionId: SessionId; readonly agent: AgentSummary }): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  return agent.signIns.map(({ name, line }) => (
    <Button
      key={line}
      label={name === '' ? `Sign in to ${agent.name}` : `Sign in to ${agent.name}: ${name}`}
      tip={line}
      disabledReason={offline}
      onPress={() => openOwnTerminal(desk, sessionId, { isInFolder: true, words: line })}
    >
      <ForeignText text={name === '' ? 'Sign in' : name} />
    </Button>
  ))
}
