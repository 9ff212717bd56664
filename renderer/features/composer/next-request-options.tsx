import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import { configureSession } from '../../state/commands/actions.ts'
import { isBesideFolder, workElsewhere } from '../../state/commands/layer-actions.ts'
import { useDesk, useOfflineReason, useSession } from '../../state/desk-context.ts'
import { useModelFacts } from '../../state/hooks/use-model-facts.ts'
import { useSandbox } from '../../state/hooks/use-sandbox.ts'
import { Select } from '../../ui/controls/select/select.tsx'
import { courseOptions, effortOptions } from '../../ui/session-options.ts'
import styles from './composer.module.css'

/** How much the model thinks before it answers, starting with the next request. */
export function EffortSelect({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const config = useSession<SessionConfigured | null>(sessionId, (session) => session.config, null)
  const facts = useModelFacts(sessionId)
  const offline = useOfflineReason()
  if (config === null || config.provider === 'rehearsal') return null
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
  if (config === null || config.provider === 'rehearsal' || isSubagent) return null
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

const PLACES = [
  { id: 'here', label: 'here', hint: 'In the folder. Each change asks for your signature.' },
  { id: 'beside', label: 'beside', hint: 'In a layer over the folder. Nothing asks; you bring changes in when you like.' },
] as const

/** Chooses where a session works, before its first message. */
export function WhereSelect({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const config = useSession<SessionConfigured | null>(sessionId, (session) => session.config, null)
  const isNew = useSession(sessionId, (session) => session.items.length === 0 && session.parent === null, false)
  const folder = useSession(sessionId, (session) => session.cwd, '')
  const sandbox = useSandbox(folder)
  const offline = useOfflineReason()
  if (config === null || config.provider === 'rehearsal' || !isNew) return null
  const missing = sandbox === null || sandbox.kind === 'present' ? null : NO_LAYERS
  return (
    <Select
      label="Where it works"
      prefix="Work"
      className={styles.effort}
      options={PLACES}
      selected={isBesideFolder(config) ? 'beside' : 'here'}
      onSelect={(where) => workElsewhere(desk, sessionId, where === 'beside')}
      disabledReason={offline ?? missing}
    />
  )
}

const NO_LAYERS = 'Sessions can work beside the folder only where commands can run in copies.'
