import type { ServerPrompt } from '../mcp/folder-offers.ts'
import type { McpServers } from '../mcp/servers.ts'
import { wordsOf } from './placeholders.ts'
import type { SlashCommand } from './slash-command.ts'

/** Maximum number of characters of a server's text that are included. The limit is the same as for a command's output. */
const MAX_CHARS = 30_000
const MAX_DESCRIPTION = 300

/** The prefix of the names of commands that come from servers. */
export const PROMPT_PREFIX = 'mcp__'

const prefixOf = (server: string): string => `${PROMPT_PREFIX}${typed(server)}__`

/** Whether the name of a command has the form of a prompt of this server. */
export const isPromptOf =
  (command: string) =>
  (server: string): boolean =>
    command.startsWith(prefixOf(server))

/**
 * The prompts of a folder's MCP servers as commands `/mcp__server__prompt`. The names contain only characters that can be typed in a
 * command.
 */
export function promptCommands(prompts: readonly ServerPrompt[]): readonly SlashCommand[] {
  const commands = new Map<string, SlashCommand>()
  for (const { server, prompt } of prompts) {
    const plain = `${prefixOf(server)}${typed(prompt.name)}`
    let name = plain
    for (let count = 2; commands.has(name); count++) name = `${plain}_${count}`
    const hint = prompt.arguments.map((one) => (one.isRequired ? `<${one.name}>` : `[${one.name}]`)).join(' ')
    commands.set(name, {
      name,
      hint,
      description: prompt.description.slice(0, MAX_DESCRIPTION),
      kind: 'command',
      from: 'server',
      path: null,
      syntax: 'claude',
      body: '',
      argumentNames: prompt.arguments.map((one) => one.name),
      prompt: { server, name: prompt.name },
      forModel: false,
      forPerson: true,
    })
  }
  return [...commands.values()]
}

const typed = (name: string): string => name.replaceAll(/[^\p{L}\d_.-]/gu, '_')

/**
 * Returns the text of a prompt, or a sentence about why there is none. Each argument gets one word, and the last gets all remaining
 * words.
 */
export async function promptText(
  folder: string,
  { server, name }: NonNullable<SlashCommand['prompt']>,
  args: string,
  mcp: Pick<McpServers, 'prompts' | 'prompt'>,
): Promise<string> {
  const why = (reason: string): string => `[The prompt ${name} of the MCP server ${server} has no text: ${reason}]`
  const found = mcp.prompts(folder).find((one) => one.server === server && one.prompt.name === name)
  if (!found) return why('the server is not running, or no longer has this prompt.')
  const names = found.prompt.arguments
  const words = wordsOf(args)
  const given = names.map((_, at) => (at === names.length - 1 ? words.slice(at).join(' ') : (words[at] ?? '')))
  const missing = names.filter(({ isRequired }, at) => isRequired && given[at] === '')
  if (missing.length > 0) return why(`it needs ${missing.map((one) => one.name).join(', ')}.`)
  const filled = Object.fromEntries(names.flatMap((one, at) => (given[at] ? [[one.name, given[at]]] : [])))
  try {
    const text = await mcp.prompt(folder, found, filled)
    return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}\n[${text.length - MAX_CHARS} more characters]`
  } catch (error) {
    return why(error instanceof Error ? error.message : String(error))
  }
}
