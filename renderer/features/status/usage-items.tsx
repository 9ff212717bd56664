import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { shortCount } from '../../../shared/lib/short-count.ts'
import { assumedCacheWords, compactsAt, WARNS_AT } from '../../state/views/context-and-price.ts'
import { useAgentName } from '../../state/agents/use-other-agents.ts'
import { agentIn } from '../../state/commands/actions.ts'
import { useSession } from '../../state/desk-context.ts'
import { useModelFacts } from '../../state/hooks/use-model-facts.ts'
import { StatusItem } from '../../ui/frame/status-strip.tsx'
import { money, percent } from '../../ui/format.ts'
import { Gauge } from '../../ui/marks/gauge.tsx'
import { LiveRegion } from '../../ui/notices/screen-reader.tsx'

/** How full the model's context window is, and what the session has cost. */
export function UsageItems({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const context = useSession(sessionId, (session) => session.context, 0)
  const cost = useSession(sessionId, (session) => session.costUsd, null)
  const compacted = useSession(sessionId, compactsAt, 1)
  const facts = useModelFacts(sessionId)
  const agent = useAgentName(useSession(sessionId, (session) => agentIn(session.config.where), null))
  const window = facts?.contextWindow ?? null
  if (context === 0) return null
  const isFull = window !== null && context >= window * WARNS_AT
  return (
    <>
      <StatusItem>
        {window === null ? (
          `Context ${shortCount(context)}`
        ) : (
          <>
            <span data-tip={`${shortCount(context)} of ${shortCount(window)} tokens`} className={isFull ? 'strong' : undefined}>
              Context {percent(context / window)}
              {isFull && `, compacted at ${percent(compacted)}`}
            </span>
            <Gauge label="Context" ratio={context / window} ticks={[WARNS_AT, compacted]} />
          </>
        )}
      </StatusItem>
      <LiveRegion message={isFull ? `The context is more than ${percent(WARNS_AT)} full. It is compacted at ${percent(compacted)}.` : ''} />
      {cost !== null && cost > 0 && (
        <StatusItem>
          <span data-tip={assumedCacheWords(facts).trim() || undefined}>
            {money(cost)}
            {agent !== null && `, according to ${agent}`}
          </span>
        </StatusItem>
      )}
    </>
  )
}
