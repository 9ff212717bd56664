import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import { configureSession } from '../../state/commands/actions.ts'
import { useDesk, useOfflineReason, useSession } from '../../state/desk-context.ts'
import { useModelFacts } from '../../state/hooks/use-model-facts.ts'
import { Select } from '../../ui/controls/select/select.tsx'
import { courseOptions, effortOptions } from '../../ui/session-options.ts'
import { useStore } from 'zustand'
import { assumedCacheWords, priceOfNext } from '../../state/views/context-and-price.ts'
import { money } from '../../ui/format.ts'
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
      label="Course"
      prefix="Course"
      className={styles.effort}
      options={courseOptions()}
      selected={config.course ?? 'plain'}
      onSelect={(course) => configureSession(desk, sessionId, { course })}
      disabledReason={offline}
    />
  )
}

/** Approximate number of characters per token. */
const CHARACTERS = 4
/** Approximate number of tokens per picture. */
const PICTURE = 1_600

/**
 * The price of the next request without its answer: the conversation plus the draft. Shown only after the first answer, which tells the
 * length of the conversation, and only if the price of the model is known.
 */
export function NextPrice({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const context = useSession(sessionId, (session) => session.context, 0)
  const written = useStore(useDesk().drafts.store, (drafts) => drafts.get(sessionId)?.length ?? 0)
  const pictures = useStore(useDesk().draftPictures.store, (all) => all.get(sessionId)?.length ?? 0)
  const facts = useModelFacts(sessionId)
  const next = context === 0 ? null : priceOfNext(context + Math.ceil(written / CHARACTERS) + PICTURE * pictures, facts)
  if (next === null) return null
  const most = money(next.most)
  const least = money(next.least)
  return (
    <span
      className={styles.next}
      data-tip={`${least === most ? '' : `${least} if the service has all of it cached. `}The answer costs extra.${assumedCacheWords(facts)}`}
    >
      Next <span className={styles.nextWords}>request</span> {next.most < 0.01 ? most : `up to ${most}`}
    </span>
  )
}
