import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import { configureSession } from '../../state/commands/actions.ts'
import { useDesk, useSession } from '../../state/desk-context.ts'
import { useBarred } from '../../state/hooks/use-barred.ts'
import { useModelFacts } from '../../state/hooks/use-model-facts.ts'
import { Select } from '../../ui/controls/select.tsx'
import { effortOptions } from '../../ui/effort-options.ts'
import styles from './composer.module.css'

/** How much the model thinks before it answers, from the next request on. */
export function EffortSelect({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const config = useSession<SessionConfigured | null>(sessionId, (session) => session.config, null)
  const facts = useModelFacts(sessionId)
  const barred = useBarred()
  if (config === null || config.provider === 'rehearsal') return null
  return (
    <Select
      label="Effort"
      prefix="Effort"
      className={styles.effort}
      options={effortOptions(facts?.efforts)}
      selected={config.effort ?? 'default'}
      onSelect={(effort) => configureSession(desk, sessionId, { effort: effort === 'default' ? null : effort })}
      disabledReason={barred}
    />
  )
}
