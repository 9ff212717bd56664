import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import { agentIn, configureSession } from '../../state/commands/actions.ts'
import { useDesk, useOfflineReason, useSession } from '../../state/desk-context.ts'
import { useModelFacts } from '../../state/hooks/use-model-facts.ts'
import { Select } from '../../ui/controls/select/select.tsx'
import { courseOptions, effortOptions } from '../../ui/session-options.ts'
import styles from './composer.module.css'

/** How much the model thinks before it answers, starting with the next request. */
export function EffortSelect({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const config = useSession<SessionConfigured | null>(sessionId, (session) => session.config, null)
  const facts = useModelFacts(sessionId)
  const offline = useOfflineReason()
  if (config === null || config.provider === 'rehearsal' || agentIn(config.where) !== null) return null
  return (
    <Select
      label="Effort"
      prefix="Effort"
      className={styles.effort}
      options={effortOptions(facts?.efforts)}
      selected={config.effort ?? 'default'}
      onSelect={(effort) => configureSession(desk, sessionId, { effort: effort === 'default' ? null : effort })}
      disabledReason={offline}
    />
  )
}

/** Chooses the course of the session, starting with the next request. */
export function CourseSelect({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const config = useSession<SessionConfigured | null>(sessionId, (session) => session.config, null)
  const isSubagent = useSession(sessionId, (session) => session.parent !== null, false)
  const offline = useOfflineReason()
  if (config === null || config.provider === 'rehearsal' || isSubagent || agentIn(config.where) !== null) return null
  return (
    <Select
      label="Plan first"
      prefix="Plan first"
      className={styles.effort}
      options={courseOptions()}
      selected={config.course ?? 'plain'}
      onSelect={(course) => configureSession(desk, sessionId, { course })}
      disabledReason={offline}
    />
  )
}
