import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { CodePieces } from '../../../ui/diff/colours/code-pieces.ts'
import { languageOf } from '../../../ui/diff/colours/language-of.ts'
import styles from './review.module.css'

export interface HunkEditorProps {
  readonly label: string
  /** Path of the file, for its language. */
  readonly path: string
  readonly text: string
  readonly onType: (text: string) => void
  readonly onUse: () => void
  readonly onLeave: () => void
}

/** Longer texts are shown without colors, because they are colored anew after each key. */
const MAX_COLOURED_LENGTH = 10_000

/** The proposed lines in a text field with the colors of their language. Undo and redo are those of the browser. */
export function HunkEditor({ label, path, text, onType, onUse, onLeave }: HunkEditorProps): ReactNode {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const pieces = useCodePieces(path)
  const lines = useMemo(() => (pieces && text.length <= MAX_COLOURED_LENGTH ? pieces(text) : null), [pieces, text])
  const onKeyDown = (event: KeyboardEvent): void => {
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
        wrap="off"
        value={text}
        data-coloured={lines !== null}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {lines && (
        <pre aria-hidden="true">
          {lines.map((line, at) => (
            <span key={at}>
              {line.map(({ text: part, color, isBold, isItalic }, place) => (
                <span key={place} style={{ color, fontWeight: isBold ? 700 : undefined, fontStyle: isItalic ? 'italic' : undefined }}>
                  {part}
                </span>
              ))}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
    </div>
  )
}

/** Colors the code of a file. Null until its language is loaded, and for a file without a known language. */
function useCodePieces(path: string): CodePieces | null {
  const language = languageOf(path)
  const [loaded, setLoaded] = useState<CodePieces | null>(null)
  useEffect(() => {
    if (language === null) return
    let isWanted = true
    void import('../../../ui/diff/colours/code-pieces.ts')
      .then(({ codePieces }) => codePieces(language))
      .then((pieces) => isWanted && setLoaded(() => pieces))
      // Without colors, the lines can still be edited.
      .catch(() => {})
    return () => {
      isWanted = false
    }
  }, [language])
  return language === null ? null : loaded
}
