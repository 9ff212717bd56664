import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { foreign } from '../../../ui/text/exact-text.tsx'
import { Well } from '../../../ui/text/well.tsx'
import styles from '../ledger.module.css'

/**
 * Why a step failed or did not run, in a sentence. Words that are only for the model are shown on demand. Text with marks under places, as
 * compilers write it, is set in the code font.
 */
export function FailureReason({ text }: { readonly text: string }): ReactNode {
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

/** Advice for the model after the fact: which tools there are, which arguments a tool takes. */
const ADVICE = /\s(?:There (?:is|are): |Available \w+: |It takes )[^\n]*$/u
/** An invalid pattern, with a mark under the place and the reason below, from one or more engines. */
const PATTERN = /regex parse error:\n[^]*?\nerror: (?<why>[^\n]+)/u

/** A reason without the advice for the model. If there is nothing else, all of it. */
export function shortReason(reason: string): string {
  const pattern = PATTERN.exec(reason)?.groups
  if (pattern) return `The pattern cannot be read: ${pattern['why']?.replace(/\.$/u, '')}.`
  const fact = reason.replace(ADVICE, '').trim()
  return fact === '' ? reason : fact
}
