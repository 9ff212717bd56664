/** A parsed patch. Line numbers refer to the text of the patch, start at 1, and are used in messages. */
export type PatchOperation =
  | { readonly kind: 'add'; readonly path: string; readonly content: string; readonly line: number }
  | { readonly kind: 'delete'; readonly path: string; readonly line: number }
  | {
      readonly kind: 'update'
      readonly path: string
      readonly moveTo: string | null
      readonly hunks: readonly Hunk[]
      readonly line: number
    }

export interface Hunk {
  /** Lines of the file that narrow the search, outermost first. */
  readonly anchors: readonly Anchor[]
  readonly lines: readonly HunkLine[]
  /** Whether `*** End of File` follows the hunk. */
  readonly endOfFile: boolean
  /**
   * Whether the file must end with a newline after the change, according to `\ No newline at end of file`; null if the hunk does not say.
   */
  readonly finalNewline: boolean | null
  /** The line number of the file in the header of a unified diff; null if the hunk has no such header. */
  readonly namedLine: number | null
  readonly line: number
}

export interface Anchor {
  readonly text: string
  /** Whether the anchor is the heading of a unified diff, which is not always a line of the file. It is ignored if it is not found. */
  readonly isHint: boolean
}

export interface HunkLine {
  readonly kind: 'context' | 'add' | 'remove'
  readonly text: string
  /**
   * Whether the line is an empty line of the patch without the leading space of a context line. It may be only a gap between two
   * sections.
   */
  readonly isBare: boolean
}

/** A line of the patch's text, without its ending. */
export interface PatchLine {
  readonly text: string
  readonly number: number
}

export function patchLines(text: string): readonly PatchLine[] {
  const lines = text.split('\n').map((line, index) => ({ text: line.replace(/\r$/u, ''), number: index + 1 }))
  return lines.at(-1)?.text === '' ? lines.slice(0, -1) : lines
}
