/** A parsed patch. Line numbers are those of the patch's text, from 1, for messages. */
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
  /** Lines of the file that narrow the search, from outside to inside. */
  readonly anchors: readonly Anchor[]
  readonly lines: readonly HunkLine[]
  /** `*** End of File` follows it. */
  readonly endOfFile: boolean
  /** Whether the file must end with a newline afterwards, by `\ No newline at end of file`; null: the hunk does not say. */
  readonly finalNewline: boolean | null
  /** The line of the file that the head of a unified diff names; null: the hunk has no such head. */
  readonly namedLine: number | null
  readonly line: number
}

export interface Anchor {
  readonly text: string
  /** The heading of a unified diff, which is not always a line of the file: it is ignored if it is not found. */
  readonly isHint: boolean
}

export interface HunkLine {
  readonly kind: 'context' | 'add' | 'remove'
  readonly text: string
  /** An empty line of the patch without the leading space of a context line; it may be only a gap between two sections. */
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
