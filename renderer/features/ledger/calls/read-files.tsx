import { type ReactNode, useState } from 'react'
import type { CallItem } from '../../../../shared/session/state.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { counted } from '../../../ui/format.ts'
import { MiddlePath } from '../../../ui/text/middle-path.tsx'
import { Well } from '../../../ui/text/well.tsx'
import { CallOutput } from './call-output.tsx'
import styles from '../ledger.module.css'
import { type ReadSection, readSections } from './read-sections.ts'
import { foreign } from '../../../ui/text/exact-text.tsx'

/** Lines of each file shown before "Show all". */
const FEW_LINES = 4

/** Several files that were read at once, each under its name. */
export function ReadFiles({ call }: { readonly call: CallItem }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const found = readSections(call)
  if (!found) return <CallOutput call={call} />
  const hidden = found.sections.reduce((sum, { lines }) => sum + Math.max(0, lines.length - FEW_LINES), 0)
  return (
    <Well
      label="Files"
      foot={
        hidden > 0 || found.rest !== '' ? (
          <>
            <span className="clip">{[isWhole || hidden === 0 ? '' : `${counted(hidden, 'line')} more.`, found.rest].join(' ').trim()}</span>
            {hidden > 0 && (
              <Button variant="quiet" small onPress={() => setWhole(!isWhole)}>
                {isWhole ? 'Show less' : 'Show all'}
              </Button>
            )}
          </>
        ) : undefined
      }
    >
      <ul className={styles.hits}>
        {found.sections.map((section) => (
          <Section key={section.path} section={section} most={isWhole ? Infinity : FEW_LINES} />
        ))}
      </ul>
    </Well>
  )
}

function Section({ section: { path, lines }, most }: { readonly section: ReadSection; readonly most: number }): ReactNode {
  return (
    <li>
      <div className={styles.hitFile}>
        <MiddlePath path={path} className="path" />
      </div>
      <ul>
        {lines.slice(0, most).map(({ number, text }, index) => (
          <li key={index} className={styles.hit}>
            <span className={styles.hitLine}>{number ?? ''}</span>
            <span className={`clip ${styles.readLine}`}>{foreign(text)}</span>
          </li>
        ))}
      </ul>
    </li>
  )
}
