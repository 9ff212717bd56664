import type { Effort } from '../../shared/session/settings/model-facts.ts'

/** Text that a user or a model calls with `/name arguments`: a Markdown command, a Gemini command, a Codex prompt, or a skill. */
export interface SlashCommand {
  /** The name without the slash. Commands in a subfolder are called `folder:name`. */
  readonly name: string
  readonly kind: 'command' | 'skill'
  readonly from: 'project' | 'person' | 'server' | 'built-in'
  /** The file; null if the command is built in or comes from an MCP server. */
  readonly path: string | null
  readonly description: string
  /** A description of the arguments, such as `[issue]`; empty if there is none. */
  readonly hint: string
  /** The kind of placeholders in the text. */
  readonly syntax: 'claude' | 'codex' | 'gemini'
  readonly body: string
  /** Names of the arguments that placeholders can use, in order. */
  readonly argumentNames: readonly string[]
  /** The MCP server's prompt that the command stands for, with both names as the server gives them. If absent, `body` is the text. */
  readonly prompt?: { readonly server: string; readonly name: string }
  /**
   * The kind of subagent that executes the command; empty if the command names none. If absent, the conversation itself executes the
   * command.
   */
  readonly agent?: string
  /** The model that answers when a user calls the command, named as in the command's file. If absent, the session's model answers. */
  readonly model?: string
  /** The effort when a user calls the command. If absent, the session's effort is used. */
  readonly effort?: Effort
  /** Fields of its front matter that have no effect here. If absent, there are no such fields. */
  readonly unusedFields?: readonly string[]
  /** Whether a model may call the command. */
  readonly forModel: boolean
  /** Whether a user may call the command. */
  readonly forPerson: boolean
}

/** A file that is not a command, and a sentence with the reason. */
export interface UnusedCommandFile {
  readonly path: string
  readonly why: string
}

/**
 * The command that a name stands for: its own name, `prompts:name` as Codex calls its prompts, or the last part of `folder:name` if only
 * one command has that last part. Undefined if there is no such command.
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
