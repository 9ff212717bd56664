import { memo, type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { CallItem } from '../../../../shared/session/state.ts'
import { showAgent } from '../../../state/commands/actions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { type AgentSummary, reachedLimit } from '../../../state/views/families.ts'
import { isBusy } from '../../../state/stores/session-list.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { counted, counting, duration } from '../../../ui/format.ts'
import { useElapsed } from '../../../ui/hooks/use-elapsed.ts'
import { wasStopped } from '../../../ui/calls/call-details.ts'
import { markOf, markWordOf } from '../../../ui/calls/call-mark.ts'
import { outcomeOf } from '../../../ui/calls/call-outcome.ts'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { Dot } from '../../../ui/marks/dot.tsx'
import { agentOf, agentWords, detailsOf, LENDS, resultOf } from '../calls/agent-call.ts'
import { FoldButton } from '../calls/fold-button.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import styles from '../ledger.module.css'
import { Markdown } from '../markdown/markdown.tsx'
import { foreign } from '../../../ui/text/exact-text.tsx'

/** A step that lends work to a subagent, waits for it or tells it something: which one, what about, what it does meanwhile, what it said. */
export const AgentEntry = memo(function AgentEntry({ call }: { readonly call: CallItem }): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const agent = useStore(desk.list, ({ sessions }) => agentOf(sessions, sessionId, call))
  const { verb, agent: name, about } = agentWords(call, agent)
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
      className={call.endedAt === null ? undefined : styles.row}
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
          <Markdown text={result} />
        </div>
      )}
    </EntryRow>
  )
})

/** How the subagent stands as long as it is at work, also when this step is over; else how the step ended. */
function AgentEffects({ call, agent }: { readonly call: CallItem; readonly agent: AgentSummary | null }): ReactNode {
  const isAtWork = (call.endedAt === null && agent !== null) || (call.toolName === 'spawn_agent' && agent !== null && isBusy(agent))
  const elapsed = useElapsed(isAtWork ? (call.startedAt ?? call.at) : null)
  if (isAtWork) {
    return (
      <>
        {agent !== null && agent.need !== null ? <span className="needs">needs you</span> : <Dot state="running" word="At work" />}
        <span className="num">{counting(elapsed)}</span>
      </>
    )
  }
  // how it ended, in the words and the tone of the tree
  if (LENDS.has(call.toolName) && agent?.ended === 'limit') return <span>{reachedLimit(agent)}</span>
  const details = detailsOf(call)
  const outcome = outcomeOf(call)
  const turns = call.toolName === 'spawn_agent' ? (agent?.spent?.answers ?? 0) : (details?.turnsUsed ?? 0)
  return (
    <>
      {outcome !== '' && <span className={call.isError && !wasStopped(call) ? 'fail' : undefined}>{outcome}</span>}
      {turns > 0 && <span className="num">{counted(turns, 'turn')}</span>}
      {call.durationMs !== null && call.toolName !== 'spawn_agent' && <span className="num">{duration(call.durationMs)}</span>}
    </>
  )
}
