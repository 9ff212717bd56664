/** A word of a command line with its quotes taken off. `expands`: the shell may make something else of it (variable, glob, substitution, brace). */
export interface ShellWord {
  readonly text: string
  readonly expands: boolean
}

/** One simple command: its words in order, the targets of its output redirections, its here-documents and its here-strings. */
export interface SimpleCommand {
  readonly words: readonly ShellWord[]
  readonly writesTo: readonly ShellWord[]
  readonly bodies: readonly string[]
  readonly strings: readonly ShellWord[]
  /** The simple command whose output it reads through a pipe, if it is one. */
  readonly readsFrom: SimpleCommand | null
  /** What joins it to the one before it in the line: it runs only where that went well, or only where it did not; null: neither. */
  readonly behind: '&&' | '||' | null
  /** No program is named: the pattern of a `case`, the values of an array. */
  readonly isData: boolean
  /** It is the name of a function that is being defined. */
  readonly isDefinition: boolean
}
