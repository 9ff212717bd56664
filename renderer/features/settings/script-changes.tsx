import type { ReactNode } from 'react'
import type { ChangedScript } from '../../../shared/api/changed-scripts.ts'
import { HunkDiff } from '../../ui/diff/hunk-diff.tsx'
import styles from './settings.module.css'

/** What changed in scripts since the user trusted them. */
export function ScriptChanges({ changed }: { readonly changed: readonly ChangedScript[] }): ReactNode {
  return changed.map(({ shown, hunks }) =>
    hunks === null ? (
      <p key={shown} className="soft">
        What changed in {shown} cannot be shown. Read the file before you allow it again.
      </p>
    ) : (
      <section key={shown} className={styles.scriptChange} aria-label={`What changed in ${shown}`}>
        <code>{shown}</code>
        {hunks.map((hunk) => (
          <HunkDiff key={hunk} path={shown} patch={`${hunk}\n`} />
        ))}
      </section>
    ),
  )
}
