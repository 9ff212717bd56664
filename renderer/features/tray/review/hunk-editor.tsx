import { type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { shallow } from 'zustand/shallow'
import type { CodePiece } from '../../../ui/diff/colours/code-pieces.ts'
import { languageOf } from '../../../ui/diff/colours/language-of.ts'
import { MAX_COLOURED_LENGTH, pieceStyle, useCodePieces } from '../../../ui/diff/colours/use-code-pieces.ts'
import { isComposing } from '../../../ui/is-composing.ts'
import styles from './review.module.css'

export interface HunkEditorProps {
  readonly label: string
  /** Path of the file, for its language. */
  readonly path: string
  /** Number of the first line in the resulting file. */
  readonly from: number
  readonly text: string
  readonly onType: (text: string) => void
  readonly onUse: () => void
  readonly onLeave: () => void
}

/**
 * The proposed lines in a text field, with their numbers in the resulting file and the colors of their language. Undo and redo are those
 * of the browser.
 */
export function HunkEditor({ label, path, from, text, onType, onUse, onLeave }: HunkEditorProps): ReactNode {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const pieces = useCodePieces(languageOf(path))
  const coloured = useMemo(() => (pieces && text.length <= MAX_COLOURED_LENGTH ? pieces(text) : null), [pieces, text])
  const lines = coloured ?? text.split('\n')
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    const uses = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)
    if (!uses && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (uses) onUse()
    else onLeave()
  }
  return (
    <div className={styles.editor}>
      <textarea
        ref={field}
        aria-label={label}
        spellCheck={false}
        value={text}
        data-coloured={coloured !== null}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <pre aria-hidden="true">
        {lines.map((line, at) => {
          const isAfterLast = at === lines.length - 1 && line.length === 0
          return <Line key={at} number={isAfterLast ? undefined : from + at} line={line} />
        })}
      </pre>
    </div>
  )
}

interface LineProps {
  /** Undefined after the line break at the end of the text, where no line of the file begins. */
  readonly number: number | undefined
  /** Colored pieces, or the line without colors, which is invisible here because the text field itself shows it. */
  readonly line: string | readonly CodePiece[]
}

/**
 * One line of the copy of the text that lies over the text field. It wraps like the field's line, so that its number is beside it. Each
 * keystroke makes the pieces of all lines again, so they are compared by content.
 */
const Line = memo(
  ({ number, line }: LineProps): ReactNode => {
    if (typeof line === 'string') return <span data-line={number}>{line}</span>
    return (
      <span data-line={number}>
        {line.map((piece, place) => (
          <span key={place} style={pieceStyle(piece)}>
            {piece.text}
          </span>
        ))}
      </span>
    )
  },
  (before, now) => before.number === now.number && isSameLine(before.line, now.line),
)

function isSameLine(before: LineProps['line'], now: LineProps['line']): boolean {
  if (typeof before === 'string' || typeof now === 'string') return before === now
  return before.length === now.length && before.every((piece, place) => shallow(piece, now[place]))
}
