import { type ReactNode, useState } from 'react'
import type { SessionId } from '../../shared/lib/ids.ts'
import { type GrepDetails, grepSpec } from '../../shared/tools/built-in/grep.ts'
import { detailsOf } from '../../shared/tools/spec/tool-spec.ts'
import { openInEditor } from '../state/commands/files/file-actions.ts'
import { useDesk } from '../state/desk-context.ts'
import { Button } from '../ui/controls/button.tsx'
import { counted } from '../ui/format.ts'
import { foreign } from '../ui/text/exact-text.tsx'
import { MiddlePath } from '../ui/text/middle-path.tsx'
import { Well } from '../ui/text/well.tsx'
import type { BodyProps, ToolView } from './view/tool-view.ts'
import styles from './view/view.module.css'

export const grepView: ToolView = {
  spec: grepSpec,
  outcome(call) {
    const details = detailsOf(grepSpec, call)
    if (!details) return null
    if (details.matches === 0) return 'nothing found'
    return `${details.matches}${details.capped ? ' or more' : ''} in ${counted(details.files, 'file')}`
  },
  folding: (call) => ((detailsOf(grepSpec, call)?.hits.length ?? 0) > 0 ? 'fixed' : 'none'),
  Body: Matches,
}

type Hit = GrepDetails['hits'][number]

/** Number of hits shown before "Show all". */
const FEW_HITS = 5

/** The matches, grouped by file. A match opens its file at the line. */
function Matches({ call, sessionId }: BodyProps): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const details = detailsOf(grepSpec, call)
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
        {/* The files are in the order of their first hits. */}
        {[...Map.groupBy(shown, ({ path }) => path)].map(([path, hits]) => (
          <li key={path}>
            <div className={styles.hitFile}>
              <MiddlePath path={path} className="path" />
            </div>
            <ul>
              {hits.map((hit, index) => (
                <li key={`${hit.line}:${index}`}>
                  <HitButton hit={hit} sessionId={sessionId} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Well>
  )
}

function HitButton({ hit: { path, line, text }, sessionId }: { readonly hit: Hit; readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const at = line > 0 ? line : null
  return (
    <button
      type="button"
      className={`${styles.hit} ${styles.hitButton}`}
      data-tip={at === null ? `Open ${path} in the editor` : `Open ${path} at line ${at} in the editor`}
      onClick={() => openInEditor(desk, { sessionId, path }, at)}
    >
      <span className={styles.hitLine}>{at ?? ''}</span>
      <span className={`clip ${styles.hitText}`}>{foreign(text.trim())}</span>
    </button>
  )
}
