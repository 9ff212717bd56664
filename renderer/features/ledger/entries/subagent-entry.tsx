import { memo, type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { CallItem } from '../../../../shared/session/state.ts'
import { showAgent } from '../../../state/commands/actions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { type AgentSummary, reachedLimit } from '../../../state/views/session-families.ts'
import { isBusy } from '../../../state/stores/session-list.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { counted, counting, duration } from '../../../ui/format.ts'
import { useElapsed } from '../../../ui/hooks/use-elapsed.ts'
import { markOf, markWordOf, wasStopped } from '../../../ui/calls/call-mark.ts'
import { outcomeOf } from '../../../tools/views.ts'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { Dot } from '../../../ui/marks/dot.tsx'
import { agentOf, agentWords, resultOf } from '../../../tools/subagents.tsx'
import { spawnAgentSpec, startsSubagent, subagentDetails } from '../../../../shared/tools/built-in/subagents.ts'
import { FoldButton } from '../calls/fold-button.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import styles from '../ledger.module.css'
import { Answer } from '../markdown/answer.tsx'
import { foreign } from '../../../ui/text/exact-text.tsx'

/** A step that starts or uses a subagent: which agent, its task or message, its current activity, and its answer. */
export const SubagentEntry = memo(function SubagentEntry({ call }: { readonly call: CallItem }): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const agent = useStore(desk.list, ({ sessions }) => agentOf(sessions, sessionId, call))
  const { verb, agent: name, about } = agentWords(call, agent?.parent.agentType ?? null)
  const result = call.endedAt === null ? '' : resultOf(call).trim()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = chosen ?? (call.isError && !wasStopped(call))
  return (
    <EntryRow
      mark={markOf(call)}
      markWord={markWordOf(call)}
      number={call.step}
      at={call.at}
      id={`step-${call.toolCallId}`}
      line={
        <>
          <span className="verb">
            {verb} {foreign(name)}
          </span>
          {about !== '' && (
            <span className="soft" data-tip={about.length > 60 ? about : undefined}>
              {foreign(about)}
            </span>
          )}
          {result !== '' && <FoldButton open={isOpen} what="what it answered" onPress={() => setChosen(!isOpen)} />}
        </>
      }
      actions={
        agent && (
          <Button variant="quiet" small onPress={() => showAgent(desk, agent.sessionId)}>
            Show agent
          </Button>
        )
      }
      effect={<AgentEffects call={call} agent={agent} />}
    >
      {call.endedAt === null && call.tail !== null && <p className={styles.doing}>{foreign(call.tail.text)}</p>}
      {isOpen && result !== '' && (
        <div className={styles.words}>
          <Answer text={result} />
        </div>
      )}
    </EntryRow>
  )
})

/**
 * The subagent's activity while it works, even if this step has already ended. When the subagent is not working, the outcome of the step.
 */
function AgentEffects({ call, agent }: { readonly call: CallItem; readonly agent: AgentSummary | null }): ReactNode {
  const isSpawn = call.toolName === spawnAgentSpec.name
  const isAtWork = (call.endedAt === null && agent !== null) || (isSpawn && agent !== null && isBusy(agent))
  const elapsed = useElapsed(isAtWork ? (call.startedAt ?? call.at) : null)
  if (isAtWork) {
    return (
      <>
        {agent !== null && agent.need !== null ? <span className="needs">needs you</span> : <Dot state="running" word="At work" />}
        <span className="num">{counting(elapsed)}</span>
      </>
    )
  }
  // The words are the same as in the list of agents.
  if (startsSubagent(call) && agent?.ended === 'limit') return <span>{reachedLimit(agent)}</span>
  const details = subagentDetails(call)
  const outcome = outcomeOf(call)
  const turns = isSpawn ? (agent?.spent?.answers ?? 0) : (details?.turnsUsed ?? 0)
  return (
    <>
      {outcome !== '' && <span className={call.isError && !wasStopped(call) ? 'fail' : undefined}>{outcome}</span>}
      {turns > 0 && <span className="num">{counted(turns, 'turn')}</span>}
      {call.durationMs !== null && !isSpawn && <span className="num">{duration(call.durationMs)}</span>}
    </>
  )
}
