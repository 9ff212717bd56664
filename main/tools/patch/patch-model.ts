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
  /** `*** End of File` stands below it. */
  readonly endOfFile: boolean
  /** What `\ No newline at end of file` says of the file's end afterwards; null: the hunk does not have it. */
  readonly finalNewline: boolean | null
  /** The line of the file that the head of a unified diff names; null: the hunk has no such head. */
  readonly namedLine: number | null
  readonly line: number
}

export interface Anchor {
  readonly text: string
  /** The heading of a unified diff, which is not always a line of the file: used where it is found, and passed over otherwise. */
  readonly isHint: boolean
}

export interface HunkLine {
  readonly kind: 'context' | 'add' | 'remove'
  readonly text: string
  /** An empty line of the patch, without the blank that context begins with: it may be no more than a gap between two sections. */
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
