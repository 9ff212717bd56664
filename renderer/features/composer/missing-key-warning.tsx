import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { ProviderFacts } from '../../../shared/api/settings.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { agentIn, askForKey, configureSession, startRehearsal } from '../../state/commands/actions.ts'
import { report } from '../../state/commands/attempt-request.ts'
import { useDesk, useSession, useView } from '../../state/desk-context.ts'
import { earlyEndOf, wantsKey } from '../../state/views/early-end.ts'
import { useLocalServers } from '../../state/hooks/use-local-servers.ts'
import { Button } from '../../ui/controls/button.tsx'
import styles from './composer.module.css'

export interface MissingKeyWarningProps {
  readonly sessionId: SessionId
  readonly provider: ProviderFacts
}

/**
 * Warns that the provider has no key. Hidden while the tray reports the missing key for the last turn, or while leftover commands wait
 * for a decision.
 */
export function MissingKeyWarning({ sessionId, provider: { provider, label } }: MissingKeyWarningProps): ReactNode {
  const desk = useDesk()
  const dismissed = useView((view) => view.dismissed)
  const isSaid = useSession(sessionId, (session) => wantsKey(earlyEndOf(session, dismissed)), false)
  const isLater = useStore(desk.left, ({ offered }) => offered.length > 0)
  if (isSaid || isLater) return null
  return (
    <div className={styles.missing} role="status">
      <span>There is no key for {label} yet, so nothing can be sent. Your draft is kept.</span>
      <div className={styles.missingWays}>
        <LocalOffer sessionId={sessionId} />
        <Button variant="quiet" small onPress={() => void report(desk, startRehearsal(desk))}>
          Rehearse without a key
        </Button>
        <Button small onPress={() => askForKey(desk, provider)}>
          Add a key
        </Button>
      </div>
    </div>
  )
}

/** Offers a model server on this computer, which needs no key. */
function LocalOffer({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const { found } = useLocalServers()
  const server = found?.find(({ models }) => models.length > 0)
  const model = server?.models[0]?.model
  if (!server || model === undefined) return null
  const { label, baseUrl } = server
  return (
    <Button
      variant="quiet"
      small
      tip={`${label} runs on this computer and needs no key. Uses ${model}.`}
      onPress={() => configureSession(desk, sessionId, { provider: 'openai-compatible', model, baseUrl })}
    >
      Use {label}
    </Button>
  )
}

/** The provider of this session if it has no key yet. Null if a message can be sent. */
export function useMissingKey(sessionId: SessionId): ProviderFacts | null {
  // Another agent has its own account.
  const provider = useSession(sessionId, ({ config }) => (agentIn(config.where) === null ? config.provider : null), null)
  const providers = useStore(useDesk().settings, ({ settings }) => settings?.providers ?? null)
  const own = providers?.find((one) => one.provider === provider)
  return own?.key === 'not_set' ? own : null
}
