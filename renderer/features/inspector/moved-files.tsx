import type { ReactNode } from 'react'
import type { MovedFile } from '../../../shared/api/sessions.ts'
import { calendarDay, clipped, clockTime, dayWords } from '../../ui/format.ts'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import styles from './inspector.module.css'

/** The files that have changed in the folder since the layer was made or took the folder's changes over, with who wrote them. */
export function MovedFiles({ files }: { readonly files: readonly MovedFile[] }): ReactNode {
  if (files.length === 0) return null
  return (
    <section className={styles.moved} aria-label="Changed in the folder meanwhile">
      <h3>Changed in the folder meanwhile</h3>
      <ul>
        {files.map((file) => (
          <li key={file.path}>
            <MiddlePath path={file.path} />
            {file.at !== null && <time className="num">{timeOf(file.at)}</time>}
            <span className={styles.writer}>{[writerOf(file), ...(file.isInLayer ? ['changed here too'] : [])].join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const timeOf = (at: number): string => (dayWords(at, Date.now()) === 'Today' ? clockTime(at) : calendarDay(at))

/** A title longer than this many characters is cut. */
const MOST_TITLE = 40

function writerOf({ by }: MovedFile): string {
  if (by === null) return 'by you or another program'
  const title = clipped(by.title, MOST_TITLE) || 'an unnamed session'
  return by.step === null ? `${title}, an undo` : `${title}, step ${by.step}`
}
