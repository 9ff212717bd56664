import type { Effort } from '../../shared/session/settings/model-facts.ts'

/** A text that a person or a model calls by `/name arguments`: a Markdown command, a Gemini command, a Codex prompt, or a skill. */
export interface SlashCommand {
  /** Without the slash; commands of a subfolder are `folder:name`. */
  readonly name: string
  readonly kind: 'command' | 'skill'
  readonly from: 'project' | 'person' | 'server' | 'built-in'
  /** The file; null: it is built in, or comes from an MCP server. */
  readonly path: string | null
  readonly description: string
  /** What the arguments are, such as `[issue]`; empty: not said. */
  readonly hint: string
  /** Which placeholders the text has. */
  readonly syntax: 'claude' | 'codex' | 'gemini'
  readonly body: string
  /** Names of the arguments, in their order, that placeholders can use. */
  readonly argumentNames: readonly string[]
  /** The prompt of an MCP server that it stands for, as the server names both. Absent: `body` is its text. */
  readonly prompt?: { readonly server: string; readonly name: string }
  /** It is done by a subagent of this kind; empty: of the kind for any task. Absent: in the conversation itself. */
  readonly agent?: string
  /** The model that answers when its person calls it, as the file names it. Absent: that of the session. */
  readonly model?: string
  /** Likewise the effort. */
  readonly effort?: Effort
  /** Fields of its front matter that have no effect here. Absent: none. */
  readonly unusedFields?: readonly string[]
  /** A model may call it. */
  readonly forModel: boolean
  /** A person may call it. */
  readonly forPerson: boolean
}

/** A file that is not a command, with the reason as a sentence. */
export interface UnusedCommandFile {
  readonly path: string
  readonly why: string
}

/**
 * The command that a name means: its own name, `prompts:name` as Codex calls its prompts, or the last part of `folder:name` if only one command
 * has it. Undefined: none.
 */
export function commandCalled<C extends Pick<SlashCommand, 'name' | 'syntax'>>(commands: readonly C[], name: string): C | undefined {
  const exact = commands.find((command) => command.name === name)
  if (exact) return exact
  if (name.startsWith('prompts:')) {
    return commands.find((command) => command.syntax === 'codex' && command.name === name.slice('prompts:'.length))
  }
  const short = commands.filter((command) => command.name.endsWith(`:${name}`))
  return short.length === 1 ? short[0] : undefined
}
