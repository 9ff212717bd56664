import { type ReactNode, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Button } from '../controls/button.tsx'
import { counted } from '../format.ts'
import { FileRow } from '../ledger/file-row.tsx'
import type { DiffSummary } from './diff-view.tsx'
import { FileTextsDiff, type FileTextsDiffProps } from './file-texts-diff.tsx'
import { fileNote } from './file-words.ts'
import type { FileTexts, StepTexts } from './step-texts.ts'
import { MovedFrom, MissingTexts } from './file-notes.tsx'
import styles from './diff.module.css'

/** Number of files of one step that are shown at once. Showing all 5,000 files of a large step would need minutes. */
export const FILES_AT_ONCE = 50

type LineMenu = Pick<FileTextsDiffProps, 'lineActions' | 'notes'>

export interface StepDiffProps {
  readonly texts: StepTexts
  /**
   * Whether the diff is in the approval tray. If left out, the diff is below a line of the ledger. In both places its columns line up with
   * the axis of the pane.
   */
  readonly inTray?: boolean | undefined
  /** Whether the heading above already shows the path of the single file and its line counts. */
  readonly titled?: boolean | undefined
  /**
   * Returns the menu for the lines of the file with this path, and the notes below its lines. If `menuOf` is left out, the browser's own
   * menu opens.
   */
  readonly menuOf?: ((path: string) => LineMenu | undefined) | undefined
}

/** The files that a step writes and deletes, each with its complete difference. */
export function StepDiff({ texts, inTray = false, titled = !inTray, menuOf }: StepDiffProps): ReactNode {
  return (
    <div className={classNames(styles.step, !inTray && styles.inLedger)}>
      {texts.kind === 'loaded' ? (
        <FileDiffs files={texts.files} inTray={inTray} titled={titled} menuOf={menuOf} />
      ) : (
        <MissingTexts texts={texts} className={styles.words} />
      )}
    </div>
  )
}

interface FileDiffsProps {
  readonly files: readonly FileTexts[]
  readonly inTray: boolean
  readonly titled: boolean
  readonly menuOf: StepDiffProps['menuOf']
}

function FileDiffs({ files, inTray, titled, menuOf }: FileDiffsProps): ReactNode {
  const [count, setCount] = useState(FILES_AT_ONCE)
  return (
    <>
      {files.slice(0, count).map((file) => (
        // With `titled`, the title above already names the file if it is the only one and was not moved.
        <FileDiff
          key={file.path}
          file={file}
          inTray={inTray}
          named={!titled || files.length > 1 || file.movedFrom !== undefined}
          menu={menuOf?.(file.path)}
        />
      ))}
      <MoreFiles notShown={Math.max(0, files.length - count)} onShow={() => setCount(count + FILES_AT_ONCE)} />
    </>
  )
}

interface MoreFilesProps {
  readonly notShown: number
  /** How many more the button shows. */
  readonly atOnce?: number
  readonly onShow: () => void
}

/** Says how many files are not shown, and has a button that shows more. */
export function MoreFiles({ notShown, atOnce = FILES_AT_ONCE, onShow }: MoreFilesProps): ReactNode {
  if (notShown === 0) return null
  return (
    <p className={styles.words}>
      {counted(notShown, 'more file')}{' '}
      <Button small onPress={onShow}>
        Show {Math.min(notShown, atOnce).toLocaleString('en-US')}
      </Button>
    </p>
  )
}

interface FileDiffProps {
  readonly file: FileTexts
  readonly inTray: boolean
  readonly named: boolean
  readonly menu: LineMenu | undefined
}

function FileDiff({ file, inTray, named, menu }: FileDiffProps): ReactNode {
  const [summary, setSummary] = useState<DiffSummary | null>(null)
  const { shown, before, after, movedFrom } = file
  return (
    <>
      {named && (
        <FileRow
          path={shown}
          whole={inTray}
          level={inTray ? 3 : 2}
          note={movedFrom === undefined ? (fileNote(before, after) ?? undefined) : <MovedFrom path={movedFrom} whole={inTray} />}
          added={summary?.added}
          removed={summary?.removed}
        />
      )}
      <FileTextsDiff file={file} onSummary={setSummary} {...menu} />
    </>
  )
}
