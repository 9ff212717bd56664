import type { ProviderId } from '../../shared/session/content.ts'
import { calledCommand } from '../../shared/session/called-command.ts'
import type { PersonMessage } from '../../shared/session/person-message.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { isFar } from '../../shared/places/address.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import type { McpServers } from '../mcp/servers.ts'
import { isPromptOf, PROMPT_PREFIX, promptCommands, promptText } from './server-prompts.ts'
import { fitsIgnoreLine } from '../environment/search/ignore/ignore-rule.ts'
import { copiesWithoutDenied, environmentWithoutDenied, refusalOfCommand } from '../rules/denied-files.ts'
import type { RuleWhen } from '../rules/rule-matches.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { expandCommand } from './expand-command.ts'
import { findCommands, type FoundCommands } from './find-commands.ts'
import { type ResourceServers, mentionedResources } from './mentioned-resources.ts'
import { commandCalled, type SlashCommand } from './slash-command.ts'

export interface SlashCommandParts {
  readonly workspaces: Pick<Workspaces, 'open'>
  readonly redactor: Pick<Redactor, 'text'>
  readonly home: string
  /** The environment of this computer. */
  readonly here: ExecutionEnvironment
  readonly dataFolder: string
  /** The MCP servers. Their prompts are commands. */
  readonly mcp: Pick<McpServers, 'prompts' | 'prompt' | 'settled'> & ResourceServers
  /** The provider's model with this id or family name. Null if the provider has no such model. */
  modelNamed(provider: ProviderId, name: string): string | null
  /** Nothing in a folder is read before it is trusted. */
  mayOpen(folder: string): Promise<boolean>
  /** The rules that apply in a folder at the moment. No command may read what they deny. */
  rulesIn(folder: string): readonly RuleWhen[]
}

export interface SlashCommands {
  /**
   * The commands of a folder (a real path). There are none if the folder is not trusted. The files are read again each time, so that an
   * edited file takes effect immediately.
   */
  in(folder: string): Promise<FoundCommands>
  /**
   * Resolves to the message as the agent gets it: the command's text in place of the command's call, followed by the MCP resources that the
   * message mentions. The message includes the model and the effort that the command sets for this turn. `provider` is the session's
   * provider.
   */
  said(folder: string, said: PersonMessage, provider: ProviderId): Promise<PersonMessage>
  text(folder: string, command: SlashCommand, args: string): Promise<string>
}

/** Maximum time in ms that a message waits for the server whose prompt it calls. */
const SERVER_MS = 30_000

const NONE: FoundCommands = { commands: [], unused: [] }

export function createSlashCommands({
  workspaces,
  redactor,
  home,
  here,
  dataFolder,
  mcp,
  modelNamed,
  mayOpen,
  rulesIn,
}: SlashCommandParts): SlashCommands {
  const within = async <T>(folder: string, otherwise: T, work: (opened: OpenedFolder) => Promise<T>): Promise<T> => {
    if (!(await mayOpen(folder))) return otherwise
    const opened = await workspaces.open(folder)
    if (!opened.ok) return otherwise
    const { environment, copies, folder: project, address, close } = opened.value
    const rules = (): readonly RuleWhen[] => rulesIn(address)
    const place = { root: project, home: opened.value.home, fitsPath: fitsIgnoreLine }
    try {
      return await work({
        env: environmentWithoutDenied(environment, rules, place),
        copies: copies && copiesWithoutDenied(copies, rules),
        project,
        redactor,
        refusal: (command) => refusalOfCommand(command, rules(), place),
      })
    } finally {
      await close()
    }
  }
  const found = async ({ env, project }: OpenedFolder, isThere: boolean): Promise<FoundCommands> => {
    const own = isThere ? { personEnv: here } : {}
    const { commands, unused } = await findCommands({ env, project, home, dataFolder, ...own })
    const known = new Set(commands.map(({ name }) => name))
    return { commands: [...commands, ...promptCommands(mcp.prompts(project)).filter(({ name }) => !known.has(name))], unused }
  }
  const expanded = (command: SlashCommand, args: string, opened: OpenedFolder): Promise<string> =>
    command.prompt ? promptText(opened.project, command.prompt, args, mcp).then(redactor.text) : expandCommand(command, args, opened)
  return {
    in: (folder) => within(folder, NONE, (opened) => found(opened, isFar(folder))),
    async said(folder, said, provider) {
      const called = calledCommand(said.text)
      if (called === null && !said.text.includes('@')) return said
      return within(folder, said, async (opened) => {
        const isPrompt = called?.name.startsWith(PROMPT_PREFIX) === true
        if (called && isPrompt) await mcp.settled(opened.project, isPromptOf(called.name), AbortSignal.timeout(SERVER_MS)).catch(() => {})
        const { commands } = called ? await found(opened, isFar(folder)) : { commands: [] }
        const mine = commands.filter(({ forPerson }) => forPerson)
        const command = called && commandCalled(mine, called.name)
        const attached = redactor.text(await mentionedResources(opened.project, said.text, mcp))
        if (called && command)
          return {
            ...said,
            text: (await expanded(command, called.args, opened)) + attached,
            command: said.text.trim(),
            ...forTurnOf(command, (model) => modelNamed(provider, model)),
          }
        if (called && isPrompt) return { ...said, text: noPrompt(called.name), command: said.text.trim() }
        return attached === '' ? said : { ...said, text: said.text + attached }
      })
    },
    text: (folder, command, args) => within(folder, '', (opened) => expanded(command, args, opened)),
  }
}

/** The model and the effort that the command sets for its turn. `modelOf` returns the provider's model for an id or a family name. */
function forTurnOf({ name, model, effort }: SlashCommand, modelOf: (name: string) => string | null): Pick<PersonMessage, 'forTurn'> {
  if (model === undefined && effort === undefined) return {}
  const found = model === undefined ? null : modelOf(model)
  return {
    forTurn: {
      command: name,
      ...(effort && { effort }),
      ...(found !== null ? { model: found } : model !== undefined && { unknownModel: model }),
    },
  }
}

const noPrompt = (name: string): string => `[/${name} has no text: none of the running MCP servers of this folder has such a prompt.]`

type OpenedFolder = Parameters<typeof expandCommand>[2]
