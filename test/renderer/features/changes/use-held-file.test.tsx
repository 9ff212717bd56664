import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { useHeldFile } from '../../../../renderer/features/changes/comments/use-comments.tsx'
import type { ReviewFile } from '../../../../renderer/features/changes/review-files.ts'
import { openPage } from '../../support/open-page.tsx'

const version = (path: string, after: string): ReviewFile => ({ path, after }) as unknown as ReviewFile

test('while a comment is written, the file keeps its version, but another file is shown at once', async () => {
  const { show } = openPage()
  let shown: ReviewFile | null = null
  function Reader({ file, isHeld }: { readonly file: ReviewFile; readonly isHeld: boolean }): ReactNode {
    shown = useHeldFile(file, isHeld)
    return null
  }
  const first = version('a', '1')
  const second = version('a', '2')
  const other = version('b', '1')
  const steps = [
    [first, false, first],
    [first, true, first],
    [second, true, first],
    [second, false, second],
    [first, true, second],
    [other, true, other],
  ] as const
  for (const [file, isHeld, expected] of steps) {
    await show(<Reader file={file} isHeld={isHeld} />)
    expect(shown).toBe(expected)
  }
})
