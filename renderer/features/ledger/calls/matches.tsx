import { type ReactNode, useState } from 'react'
import type { CallItem } from '../../../../shared/session/state.ts'
import type { GrepDetails } from '../../../../shared/tools/grep.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { grepDetails } from '../../../ui/calls/call-details.ts'
import { MiddlePath } from '../../../ui/text/middle-path.tsx'
import { Well } from '../../../ui/text/well.tsx'
import styles from '../ledger.module.css'
import { foreign } from '../../../ui/text/exact-text.tsx'

/** Hits shown before "Show all". */
const FEW_HITS = 5

/** What a search found, under the files in which it stands. */
export function Matches({ call }: { readonly call: CallItem }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const details = grepDetails(call)
  if (!details) return <Well label="Matches" text={call.output} />
  const shown = isWhole ? details.hits : details.hits.slice(0, FEW_HITS)
  const more = details.matches - shown.length
  const hasButton = details.hits.length > FEW_HITS
  return (
    <Well
      label="Matches"
      foot={
        more > 0 || hasButton ? (
          <>
            <span>{more > 0 ? `${more}${details.capped ? ' or more' : ''} more` : ''}</span>
            {hasButton && (
              <Button variant="quiet" small onPress={() => setWhole(!isWhole)}>
                {isWhole ? 'Show fewer' : details.matches > details.hits.length ? `Show ${details.hits.length}` : 'Show all'}
              </Button>
            )}
          </>
        ) : undefined
      }
    >
      <ul className={styles.hits}>
        {byFile(shown).map(([path, hits]) => (
          <li key={path}>
            <div className={styles.hitFile}>
              <MiddlePath path={path} className="path" />
            </div>
            <ul>
              {hits.map((hit, index) => (
                <li key={`${hit.line}:${index}`} className={styles.hit}>
                  <span className={styles.hitLine}>{hit.line > 0 ? hit.line : ''}</span>
                  <span className="clip">{foreign(hit.text.trim())}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Well>
  )
}

/** Files in the order of their first hits. */
export function byFile(hits: GrepDetails['hits']): readonly (readonly [string, GrepDetails['hits']])[] {
  return [...Map.groupBy(hits, ({ path }) => path)]
}
