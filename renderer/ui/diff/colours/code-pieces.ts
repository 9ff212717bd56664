import { getSharedHighlighter } from '@pierre/diffs'
import { highlighterPool } from './highlighter.ts'
import type { Language } from './language-of.ts'
import { SYNTAX_THEME } from './syntax-theme.ts'

/** A part of a line that has one style. */
export interface CodePiece {
  readonly text: string
  /** A CSS color. Absent if it has the color of ordinary text. */
  readonly color?: string | undefined
  readonly isBold: boolean
  readonly isItalic: boolean
}

export type CodePieces = (text: string) => readonly (readonly CodePiece[])[]

/** The bits of the highlighter's font styles. */
const ITALIC = 1
const BOLD = 2
/** Longer lines are shown without colors. */
const LONGEST_LINE = 2_000

/**
 * Loads a language. Resolves to a function that splits a text into lines of colored pieces. The function runs on this thread, so it is
 * meant for short texts.
 */
export async function codePieces(language: Language): Promise<CodePieces> {
  // This call creates the pool, which also registers the theme and the grammars.
  highlighterPool()
  const highlighter = await getSharedHighlighter({ themes: [SYNTAX_THEME], langs: [language], preferredHighlighter: 'shiki-js' })
  return (text) =>
    highlighter
      .codeToTokens(text, { lang: language, theme: SYNTAX_THEME, tokenizeMaxLineLength: LONGEST_LINE, tokenizeTimeLimit: 0 })
      .tokens.map((line) =>
        line.map(({ content, color, fontStyle = 0 }) => ({
          text: content,
          color,
          isBold: (fontStyle & BOLD) !== 0 && fontStyle > 0,
          isItalic: (fontStyle & ITALIC) !== 0 && fontStyle > 0,
        })),
      )
}
