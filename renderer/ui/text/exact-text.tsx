import { Fragment, type ReactNode } from 'react'
import styles from './exact-text.module.css'
import { type ExactPiece, exactPathPieces, exactPieces, foreignPieces } from '../../../shared/lib/hidden-characters.ts'

/**
 * Text that will be executed or written. Its characters are always shown from left to right in their order. Invisible characters are shown
 * by their code point.
 */
export function ExactText({ text }: { readonly text: string }): ReactNode {
  return <Pieces pieces={exactPieces(text)} />
}

/** The path of a file that will be written. Line ends, tabs and all spaces in it are shown too. */
export function ExactPath({ path }: { readonly path: string }): ReactNode {
  return (
    <span className={styles.spaces}>
      <Pieces pieces={exactPathPieces(path)} />
    </span>
  )
}

function Pieces({ pieces }: { readonly pieces: readonly ExactPiece[] }): ReactNode {
  return (
    <span className={styles.exact}>
      {pieces.map((piece, at) =>
        piece.kind === 'text' ? (
          <Fragment key={at}>{unbroken(piece.text)}</Fragment>
        ) : (
          // The index is a stable key, because the text is fixed.
          <HiddenCharacter key={at} code={piece.code} />
        ),
      )}
    </span>
  )
}

/** Prose with code between backticks, such as a step of a plan. The characters are shown as in `ExactText`. */
export function ExactProse({ text }: { readonly text: string }): ReactNode {
  return text.split(/`([^`\n]+)`/u).map((part, at) =>
    // The index is a stable key, because the text is fixed. Every second part was between backticks.
    at % 2 === 0 ? (
      <ExactText key={at} text={part} />
    ) : (
      <code key={at}>
        <ExactText text={part} />
      </code>
    ),
  )
}

/**
 * Text of a model, tool or file that is shown but not signed. Invisible characters and characters that reorder the line are shown by
 * their code point. Text without such characters is returned without an element.
 */
export function ForeignText({ text }: { readonly text: string }): ReactNode {
  return foreign(text)
}

/** Does the same as `ForeignText` without a component, because an answer has many short texts. Other nodes are returned unchanged. */
export function foreign(node: ReactNode): ReactNode {
  if (typeof node !== 'string') return node
  const pieces = foreignPieces(node)
  if (pieces.length === 1 && pieces[0]?.kind === 'text') return node
  return pieces.map((piece, at) =>
    piece.kind === 'text' ? <Fragment key={at}>{piece.text}</Fragment> : <HiddenCharacter key={at} code={piece.code} />,
  )
}

function HiddenCharacter({ code }: { readonly code: string }): ReactNode {
  return (
    <mark className={styles.hidden} data-tip="An invisible character">
      {code}
    </mark>
  )
}

/** Prevents line breaks after hyphens, so that a signed name is not broken if it fits on a line. */
function unbroken(text: string): ReactNode {
  if (!text.includes('-')) return text
  return text.split(/(\S*-\S*)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // The index is a stable key, because the text is fixed.
      <span key={at} className={styles.word}>
        {part}
      </span>
    ),
  )
}
