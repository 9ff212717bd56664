import { z } from 'zod'
import { named, rename } from '../foreign-arguments/argument-aliases.ts'
import { NO_DETAILS, toolSpec } from '../spec/tool-spec.ts'
import { callLine, textArgument } from '../spec/call-line.ts'

const SlashCommandInput = z.object({
  command: z.string().min(1).max(20_000).describe('The name and its arguments, such as `/review src/main.ts`.'),
})
type SlashCommandInput = z.infer<typeof SlashCommandInput>

/**
 * Offered only if there are slash commands or skills. The names and descriptions of these commands and skills are then added to the tool's
 * description.
 */
export const slashCommandSpec = toolSpec({
  name: 'slash_command',
  verb: 'Look up',
  description:
    'Returns the instructions of a slash command or skill of this project or its developer. Call it before you start work that one of them describes, and follow what it returns.',
  input: SlashCommandInput,
  reads: 'session',
  details: NO_DETAILS,
  line: (call) => callLine('Look up', textArgument(call, 'command')),
  otherNames: ['SlashCommand', 'Skill', 'activate_skill'],
  aliases: named(['skill', 'name', 'skill_name'], rename('command')),
  complete: ({ args, arguments: more = args, command, ...rest }) => ({
    ...rest,
    command: typeof command === 'string' && typeof more === 'string' && more.trim() !== '' ? `${command} ${more}` : command,
  }),
})
