import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { Well } from '../../../ui/text/well.tsx'
import styles from '../ledger.module.css'
import { shortReason } from './short-reason.ts'
import { foreign } from '../../../ui/text/exact-text.tsx'

/**
 * Why a step failed or did not run, in a sentence. Words that are only for the model are shown on demand. Text with marks under places, as
 * compilers write it, is set in the code font.
 */
export function Reason({ text }: { readonly text: string }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const words = text.trim()
  if (words === '') return null
  const fact = shortReason(words)
  const shown = isWhole ? words : fact
  const isCut = fact !== words
  const more = isCut && (
    <Button variant="quiet" small onPress={() => setWhole(!isWhole)}>
      {isWhole ? 'Show less' : 'Show all'}
    </Button>
  )
  if (isDrawn(shown)) {
    const foot = more && (
      <>
        <span className="clip">All of it</span>
        {more}
      </>
    )
    return <Well label="Why it failed" text={shown} foot={foot || undefined} />
  }
  return (
    <p className={`note ${styles.lines}`}>
      {foreign(shown)}
      {more && <> {more}</>}
    </p>
  )
}

/** It has indented lines, so the columns matter. */
const isDrawn = (text: string): boolean => /\n[ \t]{2,}\S/u.test(text)
