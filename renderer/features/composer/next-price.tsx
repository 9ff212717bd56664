import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk, useSession } from '../../state/desk-context.ts'
import { useModelFacts } from '../../state/hooks/use-model-facts.ts'
import { assumedCacheWords, priceOfNext } from '../../state/views/context-and-price.ts'
import { money } from '../../ui/format.ts'
import styles from './composer.module.css'

/** Approximate number of characters per token. */
const CHARACTERS = 4
/** Approximate number of tokens per picture. */
const PICTURE = 1_600

/**
 * The input price of the next request: the conversation plus the draft. Shown only if the price of the model is known and the first answer
 * has reported the length of the conversation.
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
