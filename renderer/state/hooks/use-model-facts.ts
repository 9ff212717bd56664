import { useStore } from 'zustand'
import type { ModelFacts } from '../../../shared/api/settings.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk, useSession } from '../desk-context.ts'

const NO_MODEL = { provider: '', model: '' }

/** What is known of a session's model, its context window and its price; null where nobody knows it. */
export function useModelFacts(sessionId: SessionId): ModelFacts | null {
  const { provider, model } = useSession(
    sessionId,
    ({ config }) => ({ provider: config.provider as string, model: config.model }),
    NO_MODEL,
  )
  const providers = useStore(useDesk().settings, ({ settings }) => settings?.providers ?? null)
  return providers?.find((one) => one.provider === provider)?.models.find((one) => one.model === model) ?? null
}
