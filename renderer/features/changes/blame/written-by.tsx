import type { ReactNode } from 'react'
import type { LineWriter } from '../../../../shared/api/changes/blame.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { writerDetails, writerWords } from '../../../tools/view/writer-words.ts'

/** The writer of the current hunk. Clicking it shows the details below the lines. Renders nothing until the writer is known. */
export function WrittenBy({
  writers,
  here,
  isRemoved,
  onShow,
}: {
  readonly writers: readonly LineWriter[]
  readonly here: SessionId
  /** Whether the hunk only removes lines. If so, the writers of the removed lines are shown. */
  readonly isRemoved: boolean
  readonly onShow: () => void
}): ReactNode {
  // The writer of lines from before the first recorded change comes last: a hunk may have many unchanged lines, and it does not matter who
  // wrote them.
  const [first, ...more] = writers.toSorted((a, b) => Number(a.kind === 'earlier') - Number(b.kind === 'earlier'))
  if (!first) return null
  return (
    <Button
      small
      variant="quiet"
      keys="B"
      tip={writers.map((one) => `${writerWords(one, here)}: ${writerDetails(one)}`).join('\n')}
      onPress={onShow}
    >
      {isRemoved ? 'Removed lines written by ' : 'Written by '}
      {writerWords(first, here)}
      {more.length > 0 && ` and ${more.length} more`}
    </Button>
  )
}
