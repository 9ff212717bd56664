import { type ReactNode, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Button } from '../controls/button.tsx'
import { FileRow } from '../ledger/file-row.tsx'
import styles from './diff.module.css'
import { type DiffSummary, DiffView } from './diff-view.tsx'
import { fileNote } from './file-words.ts'
import type { FileTexts, StepTexts } from './step-texts.ts'

export interface StepDiffProps {
  readonly texts: StepTexts
  /** Lies in the approval tray, on its sheet; left out it lies under a line of the ledger. Both on the pane's axis. */
  readonly inTray?: boolean | undefined
}

/** What a step writes and deletes: each file with its whole difference. */
export function StepDiff({ texts, inTray = false }: StepDiffProps): ReactNode {
  return <div className={classNames(styles.step, !inTray && styles.inLedger)}>{contentOf(texts, inTray)}</div>
}

function contentOf(texts: StepTexts, inTray: boolean): ReactNode {
  switch (texts.kind) {
    case 'loading':
      return <p className={styles.words}>Reading both versions…</p>
    case 'failed':
      return (
        <p className={styles.words}>
          The two versions could not be read: {texts.message}{' '}
          <Button small onPress={texts.retry}>
            Read again
          </Button>
        </p>
      )
    case 'loaded':
      return texts.files.map((file) => <FileDiff key={file.path} file={file} whole={inTray} />)
  }
}

function FileDiff({ file, whole }: { readonly file: FileTexts; readonly whole: boolean }): ReactNode {
  const [summary, setSummary] = useState<DiffSummary | null>(null)
  return (
    <>
      <FileRow
        path={file.shown}
        whole={whole}
        note={fileNote(file.before, file.after) ?? undefined}
        added={summary?.added}
        removed={summary?.removed}
      />
      <DiffView path={file.shown} before={file.before} after={file.after} layout="stacked" onSummary={setSummary} />
    </>
  )
}
