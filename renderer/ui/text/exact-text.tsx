import { Fragment, type ReactNode } from 'react'
import styles from './exact-text.module.css'
import { exactPieces, foreignPieces } from './hidden-characters.ts'

/** Text that will be executed or written, in the order of its characters: what cannot be seen is named in its place, nothing reorders. */
export function ExactText({ text }: { readonly text: string }): ReactNode {
  return (
    <span className={styles.exact}>
      {exactPieces(text).map((piece, at) =>
        piece.kind === 'text' ? (
          <Fragment key={at}>{unbroken(piece.text)}</Fragment>
        ) : (
          // pieces never move among each other: the text they come from is fixed
          <HiddenCharacter key={at} code={piece.code} />
        ),
      )}
    </span>
  )
}

/**
 * Text of a model, a tool or a file that is shown and not signed: characters that cannot be seen, or that would reorder the line, are named
 * in their place as in a request. Text without any stays as it is, with no element around it.
 */
export function ForeignText({ text }: { readonly text: string }): ReactNode {
  const pieces = foreignPieces(text)
  if (pieces.length === 1 && pieces[0]?.kind === 'text') return text
  return pieces.map((piece, at) =>
    piece.kind === 'text' ? <Fragment key={at}>{piece.text}</Fragment> : <HiddenCharacter key={at} code={piece.code} />,
  )
}

/** A node whose own text is foreign; what is no text stays as it is. */
export function foreign(node: ReactNode): ReactNode {
  return typeof node === 'string' ? <ForeignText text={node} /> : node
}

function HiddenCharacter({ code }: { readonly code: string }): ReactNode {
  return (
    <mark className={styles.hidden} data-tip="A character that cannot be seen">
      {code}
    </mark>
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
