import type { CSSProperties } from 'react'
import { useSettled } from '../../hooks/use-settled.ts'
import type { CodePiece, CodePieces } from './code-pieces.ts'
import type { Language } from './language-of.ts'

/** Longer texts are shown without colors, because the colors are computed on this thread. */
export const MAX_COLOURED_LENGTH = 10_000

/** Colors code. Null until the language is loaded, without a language, and if it could not be loaded. */
export function useCodePieces(language: Language | null): CodePieces | null {
  return useSettled(language, language && (async () => (await import('./code-pieces.ts')).codePieces(language))).value
}

export function pieceStyle({ color, isBold, isItalic }: CodePiece): CSSProperties {
  return { color, fontWeight: isBold ? 700 : undefined, fontStyle: isItalic ? 'italic' : undefined }
}
