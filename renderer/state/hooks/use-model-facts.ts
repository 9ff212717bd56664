import { useStore } from 'zustand'
import type { ModelFacts } from '../../../shared/api/settings.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk, useSession } from '../desk-context.ts'
import { useAnswer } from '../use-answer.ts'
import type { ContextPart } from '../../../shared/api/sessions.ts'

const NO_MODEL = { provider: '', model: '' }

/** The facts about a session's model, such as context window and price. Null if they are unknown. */
export function useModelFacts(sessionId: SessionId): ModelFacts | null {
  const { provider, model } = useSession(
    sessionId,
    ({ config }) => ({ provider: config.provider as string, model: config.model }),
    NO_MODEL,
  )
  const providers = useStore(useDesk().settings, ({ settings }) => settings?.providers ?? null)
  return providers?.find((one) => one.provider === provider)?.models.find((one) => one.model === model) ?? null
}

const NONE: readonly ContextPart[] = []

/** The parts of the context as main estimates them. They are requested again after each answer and compaction. Empty while unknown. */
export function useContextParts(sessionId: SessionId): readonly ContextPart[] {
  const answers = useSession(sessionId, (session) => session.answers, 0)
  const compactions = useSession(sessionId, (session) => session.compactions.length, 0)
  return useAnswer(sessionId, (client) => client.sessions.contextParts({ sessionId }), [answers, compactions]).value ?? NONE
}
