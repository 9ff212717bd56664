/** What is being completed: the characters from `from` to `to` of the draft. `typed` is this text without its `/` or `@`. */
export interface CompletionTarget {
  readonly kind: 'command' | 'path' | 'argument'
  readonly typed: string
  /** The command that the argument belongs to. Empty for the other kinds. */
  readonly command: string
  readonly from: number
  readonly to: number
}

/**
 * Returns the completion at the caret: a slash command at the start of the message, the command's argument, or a path after `@`. Null if
 * the text before the caret is none of these.
 */
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
  /** The key under which Countersign remembers that the option was used. */
  readonly used: string
  /** The text of the option: "/review" or "src/main.ts". */
  readonly words: string
  /** What the option does. Empty for paths. */
  readonly about: string
  /** Where the option is from: "project", "yours". Empty if no origin is shown. */
  readonly origin: string
  /** The text that replaces the typed text. Null if choosing the option only runs it. */
  readonly text: string | null
  readonly run?: () => void
}

/** Returns the draft after an option was chosen, and the new caret position. */
export function completed(draft: string, { from, to }: CompletionTarget, text: string): { readonly draft: string; readonly caret: number } {
  // A space that already follows in the draft is not doubled.
  const rest = text.endsWith(' ') && draft.startsWith(' ', to) ? draft.slice(to + 1) : draft.slice(to)
  return { draft: draft.slice(0, from) + text + rest, caret: from + text.length }
}
