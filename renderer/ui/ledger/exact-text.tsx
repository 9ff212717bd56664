import { Fragment, type ReactNode } from 'react'
import styles from './exact-text.module.css'
import { exactPieces } from './hidden-characters.ts'

/** Text that will be executed or written, in the order of its characters: what cannot be seen is named in its place, nothing reorders. */
export function ExactText({ text }: { readonly text: string }): ReactNode {
  return (
    <span className={styles.exact}>
      {exactPieces(text).map((piece, at) =>
        piece.kind === 'text' ? (
          <Fragment key={at}>{unbroken(piece.text)}</Fragment>
        ) : (
          // pieces never move among each other: the text they come from is fixed
          <mark key={at} className={styles.hidden} data-tip="A character that cannot be seen">
            {piece.code}
          </mark>
        ),
      )}
    </span>
  )
}

/** A browser breaks lines after a hyphen; a name that is signed stays in one piece as long as a line can hold it. */
function unbroken(text: string): ReactNode {
  if (!text.includes('-')) return text
  return text.split(/(\S*-\S*)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // the parts of a fixed text
      <span key={at} className={styles.word}>
        {part}
      </span>
    ),
  )
}
