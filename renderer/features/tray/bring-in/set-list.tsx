import type { ReactNode } from 'react'
import { kept, refused } from '../../../state/stores/review-decisions.ts'
import { Check } from '../../../ui/controls/check.tsx'
import { added, counted, removed } from '../../../ui/format.ts'
import { lineCount } from '../review/review-signature.ts'
import type { Review } from '../review/use-request-review.ts'
import styles from './bring-in.module.css'
import { countsOf } from './change-sets.ts'
import type { NamedSet } from './use-change-sets.ts'

interface SetListProps {
  readonly sets: readonly NamedSet[]
  readonly review: Review
}

/** The change sets, in the order of their steps. The check box of a set brings in, or leaves out, all of its parts. */
export function SetList({ sets, review }: SetListProps): ReactNode {
  const { decided, change, current } = review
  return (
    <ol className={styles.sets} aria-label="Change sets">
      {sets.map((set, index) => {
        const { signed, of } = countsOf(set, decided.refused)
        const keys = set.parts.map(({ piece }) => piece.key)
        const hunks = set.parts.flatMap(({ hunk }) => (hunk === null ? [] : [hunk]))
        const lines = lineCount(hunks, decided)
        const isCurrent = current !== undefined && keys.includes(current.key)
        return (
          <li key={set.step} className={styles.set} data-shown={isCurrent || undefined} data-left={signed === 0 || undefined}>
            <span className={styles.number}>{index + 1}</span>
            <Check
              label={`Bring in ${set.title}`}
              labelHidden
              checked={signed > 0}
              onChange={(isIn) => change((known) => ({ ...(isIn ? kept(known, keys) : refused(known, keys)), current: keys[0] ?? null }))}
            />
            <button
              type="button"
              className={styles.name}
              data-tip={set.title}
              onClick={() => change((known) => ({ ...known, current: keys[0] ?? null }))}
            >
              {set.title}
            </button>
            {hunks.length > 0 && (
              <span className={styles.counts}>
                <span className="add">{added(lines.added)}</span> <span className="del">{removed(lines.removed)}</span>
              </span>
            )}
            <span className={styles.below}>{belowWords(set, review, signed, of)}</span>
          </li>
        )
      })}
    </ol>
  )
}

function belowWords(set: NamedSet, { decided, from }: Review, signed: number, of: number): string {
  const files = [...new Set(set.parts.map(({ file }) => file.shown))]
  const name = files.length === 1 ? (files[0]?.split('/').at(-1) ?? '') : counted(files.length, 'file')
  const { conflicts } = countsOf(set, decided.refused)
  const solved = set.parts.flatMap(({ file }) => decided.choices.get(file.path) ?? []).filter((choice) => choice !== null).length
  return [
    set.step === null ? '' : `step ${set.step}`,
    name,
    signed === 0 ? `stays in the ${from}` : signed < of ? `${signed} of ${counted(of, 'hunk')}` : '',
    conflicts === 0 ? '' : `${counted(conflicts, 'conflict')}${solved >= conflicts ? ', solved' : ''}`,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}
