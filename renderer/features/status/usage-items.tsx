import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk, useSession } from '../../state/desk-context.ts'
import { StatusItem } from '../../ui/frame/status-strip.tsx'
import { money, percent, shortCount } from '../../ui/format.ts'
import { Gauge } from '../../ui/marks/gauge.tsx'

/** Where the context warns and where it will be compacted (DESIGN §4). */
const TICKS = [0.8, 0.92]

/** How full the model's window is, and what the session has cost. */
export function UsageItems({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const context = useSession(sessionId, (session) => session.context, 0)
  const cost = useSession(sessionId, (session) => session.costUsd, null)
  const window = useContextWindow(sessionId)
  if (context === 0) return null
  return (
    <>
      <StatusItem>
        {window === null ? (
          `Context ${shortCount(context)}`
        ) : (
          <>
            <span data-tip={`${shortCount(context)} of ${shortCount(window)} tokens`}>Context {percent(context / window)}</span>
            <Gauge label="Context" ratio={context / window} ticks={TICKS} />
          </>
        )}
      </StatusItem>
      {cost !== null && cost > 0 && <StatusItem>{money(cost)}</StatusItem>}
    </>
  )
}

const NO_MODEL = { provider: '', model: '' }

/** Tokens that the session's model can hold; null where nobody knows. */
function useContextWindow(sessionId: SessionId): number | null {
  const { provider, model } = useSession(
    sessionId,
    ({ config }) => ({ provider: config.provider as string, model: config.model }),
    NO_MODEL,
  )
  const providers = useStore(useDesk().settings, ({ settings }) => settings?.providers ?? null)
  const facts = providers?.find((one) => one.provider === provider)?.models.find((one) => one.model === model)
  return facts?.contextWindow ?? null
}
