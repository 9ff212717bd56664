import { useStore } from 'zustand'
import type { ProviderFacts } from '../../../shared/api/settings.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk, useSession } from '../../state/desk-context.ts'

/** The service of this session, when it has no key yet; null when a message can be sent. */
export function useMissingKey(sessionId: SessionId): ProviderFacts | null {
  const provider = useSession(sessionId, (session) => session.config.provider, null)
  const providers = useStore(useDesk().settings, ({ settings }) => settings?.providers ?? null)
  const own = providers?.find((one) => one.provider === provider)
  return own?.key === 'not_set' ? own : null
}
