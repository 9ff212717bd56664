import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { foreign } from '../../../ui/text/exact-text.tsx'
import { Well } from '../../../ui/text/well.tsx'
import styles from '../ledger.module.css'

/**
 * Why a step failed or did not run, in a sentence. `advice`, which is meant for the model, is shown on demand. Text with indented lines,
 * such as a compiler's position markers, uses the code font.
 */
export function FailureReason({ text, advice = '' }: { readonly text: string; readonly advice?: string | undefined }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const words = [text.trim(), advice].filter((part) => part !== '').join(' ')
  if (words === '') return null
  const fact = shortReason(text.trim() || words)
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

/** Whether the text has indented lines, which means that its columns matter. */
const isDrawn = (text: string): boolean => /\n[ \t]{2,}\S/u.test(text)

/**
 * The error message about an invalid regular expression, from one or more engines: the pattern, a marker below the position, and the
 * reason.
 */
const PATTERN = /regex parse error:\n[^]*?\nerror: (?<why>[^\n]+)/u

/** The reason in a sentence, if a program gave it with a drawing. */
export function shortReason(reason: string): string {
  const why = PATTERN.exec(reason)?.groups?.['why']
  return why === undefined ? reason : `The pattern cannot be read: ${why.replace(/\.$/u, '')}.`
}
