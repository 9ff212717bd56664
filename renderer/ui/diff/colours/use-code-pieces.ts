import { type CSSProperties, useEffect, useState } from 'react'
import type { CodePiece, CodePieces } from './code-pieces.ts'
import type { Language } from './language-of.ts'

/** Longer texts are shown without colors, because the colors are computed on this thread. */
export const MAX_COLOURED_LENGTH = 10_000

/** Colors code. Null until the language is loaded, without a language, and if it could not be loaded. */
export function useCodePieces(language: Language | null): CodePieces | null {
  const [loaded, setLoaded] = useState<CodePieces | null>(null)
  useEffect(() => {
    if (language === null) return
    let isWanted = true
    void import('./code-pieces.ts')
      .then(({ codePieces }) => codePieces(language))
      .then((pieces) => isWanted && setLoaded(() => pieces))
      // Without colors, the code can still be read and edited.
      .catch(() => {})
    return () => {
      isWanted = false
    }
  }, [language])
  return language === null ? null : loaded
}

export function pieceStyle({ color, isBold, isItalic }: CodePiece): CSSProperties {
  return { color, fontWeight: isBold ? 700 : undefined, fontStyle: isItalic ? 'italic' : undefined }
}
