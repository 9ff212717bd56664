import { failureWithAdvice } from '../../agent/tool-output.ts'
import { slashCommandSpec } from '../../../shared/tools/built-in/slash-command.ts'
import type { Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'

/** A command as a model sees it. */
export interface CallableCommand {
  /** Without the slash. */
  readonly name: string
  readonly description: string
  readonly hint: string
}

export interface SlashCommandToolParts<C extends CallableCommand> {
  readonly commands: readonly C[]
  /** The command with this name; undefined if there is none. */
  find(commands: readonly C[], name: string): C | undefined
  text(command: C, args: string): Promise<string>
}

/**
 * Maximum number of characters of names and descriptions in the definition. Commands beyond this limit are not listed, but can still be
 * called.
 */
const MAX_LISTED = 8_000

/** What the summary keeps after `/clear`. An empty conversation would lose the user's request. */
const CLEARED = 'Keep only the developer’s requests, what is done and what is left to do.'
/** Commands that models know from other agents. */
const OF_THE_CONVERSATION: ReadonlySet<string> = new Set(['clear', 'compact'])

/** Can be called even if there are no commands, for `/compact` and `/clear`. */
export function createSlashCommandTool<C extends CallableCommand>({ commands, find, text }: SlashCommandToolParts<C>): Tool {
  const tool = defineTool(slashCommandSpec, ({ command }) =>
    Promise.resolve({
      kind: 'ready',
      effects: [],
      async commit({ compact }) {
        const [, name = '', args = ''] = /^\/?(\S+)\s*([\s\S]*)$/u.exec(command.trim()) ?? []
        const found = find(commands, name)
        if (found) return { output: await text(found, args.trim()), isError: false, details: null }
        if (!compact || !OF_THE_CONVERSATION.has(name)) return unknown(name, commands)
        compact(name === 'clear' ? CLEARED : args.trim())
        return { output: 'The conversation will be replaced by a summary before your next request.', isError: false, details: null }
      },
    }),
  )
  const { definition } = tool
  return {
    ...tool,
    definition: {
      name: definition.name,
      description: `${definition.description}\n${listed(commands)}`,
      get parameters() {
        return definition.parameters
      },
    },
  }
}

function unknown(name: string, commands: readonly CallableCommand[]): ToolOutput {
  const names = [...commands.map((command) => command.name), ...OF_THE_CONVERSATION]
  return failureWithAdvice(`There is no slash command /${name}.`, `There are: ${names.map((known) => `/${known}`).join(', ')}.`)
}

function listed(commands: readonly CallableCommand[]): string {
  let room = MAX_LISTED
  const lines = commands.map(
    ({ name, hint, description }) => `- /${name}${hint === '' ? '' : ` ${hint}`}: ${description.replaceAll(/\s+/gu, ' ')}`,
  )
  const shown = lines.filter((line) => (room -= line.length) >= 0)
  return [...shown, ...(shown.length < lines.length ? [`and ${lines.length - shown.length} more`] : [])].join('\n')
}
