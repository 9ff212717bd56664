/** What is being completed: the characters from `from` to `to` of the draft. `typed`: without its `/` or `@`. */
export interface CompletionTarget {
  readonly kind: 'command' | 'path' | 'argument'
  readonly typed: string
  /** The command that the argument belongs to; empty for the other kinds. */
  readonly command: string
  readonly from: number
  readonly to: number
}

/** A slash command at the start of the message, its argument, or a path after `@`, that ends at the caret; null: none of them. */
export function completionTargetAt(text: string, caret: number): CompletionTarget | null {
  const before = text.slice(0, caret)
  const [command] = /^\/\S*$/u.exec(before) ?? []
  if (command !== undefined) return { kind: 'command', typed: command.slice(1), command: '', from: 0, to: caret }
  const [path] = /(?<=^|[\s("'])@[^\s@]*$/u.exec(before) ?? []
  if (path !== undefined) return { kind: 'path', typed: path.slice(1), command: '', from: caret - path.length, to: caret }
  const [, name, argument = ''] = /^\/(\S+)[ \t]+([^\n]*)$/u.exec(before) ?? []
  if (name === undefined || caret < text.length) return null
  return { kind: 'argument', typed: argument, command: name, from: caret - argument.length, to: caret }
}

export interface CompletionOption {
  readonly id: string
  /** Under which its use is remembered. */
  readonly used: string
  /** As it is written: "/review" or "src/main.ts". */
  readonly words: string
  /** What it does; empty for paths. */
  readonly about: string
  /** "project", "yours": where it is from; empty: it needs no word. */
  readonly origin: string
  /** What replaces the typed text; null: choosing it only runs it. */
  readonly text: string | null
  readonly run?: () => void
}

/** The draft after an option was taken, and where the caret is then. */
export function completed(draft: string, { from, to }: CompletionTarget, text: string): { readonly draft: string; readonly caret: number } {
  // a space that is already there is not doubled
  const rest = text.endsWith(' ') && draft.startsWith(' ', to) ? draft.slice(to + 1) : draft.slice(to)
  return { draft: draft.slice(0, from) + text + rest, caret: from + text.length }
}

/** Calls `take` with the answer unless the returned function was called before. */
export function answered<T>(asked: Promise<T> | undefined, take: (answer: T) => void): () => void {
  let isCurrent = true
  asked?.then(
    (answer) => isCurrent && take(answer),
    () => {},
  )
  return () => {
    isCurrent = false
  }
}
