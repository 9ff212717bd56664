import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { notebookCellTexts } from './compare/notebook-cell-texts.ts'
import styles from './diff.module.css'
import { DiffView, type DiffViewProps } from './diff-view.tsx'
import type { FileTexts } from './step-texts.ts'

export interface FileTextsDiffProps extends Pick<DiffViewProps, 'onSummary' | 'lineActions' | 'notes' | 'ignoresSpaces'> {
  readonly file: FileTexts
  /** A change that the lines do not show, such as a change of permissions. */
  readonly fact?: string | undefined
}

/**
 * Shows the diff of one file. If only the sources of a notebook's cells changed, shows only these sources, and the complete file on demand.
 */
export function FileTextsDiff({ file, onSummary, lineActions, notes, ignoresSpaces, fact }: FileTextsDiffProps): ReactNode {
  const [isFile, setFile] = useState(false)
  const cells = useMemo(() => (file.shown.endsWith('.ipynb') ? notebookCellTexts(file) : null), [file])
  const { shown, before, after } = isFile || cells === null ? file : cells
  return (
    <>
      {fact !== undefined && <p className={styles.words}>{fact}</p>}
      <DiffView
        path={shown}
        before={before}
        after={after}
        layout="stacked"
        onSummary={onSummary}
        ignoresSpaces={ignoresSpaces}
        lineActions={isFile || cells === null ? lineActions : undefined}
        notes={isFile || cells === null ? notes : undefined}
      />
      {cells !== null && (
        <p className={styles.words}>
          {isFile ? 'The raw file. ' : 'The sources of the cells. '}
          <Button variant="quiet" small onPress={() => setFile(!isFile)}>
            {isFile ? 'Show cells' : 'Show file'}
          </Button>
        </p>
      )}
    </>
  )
}
