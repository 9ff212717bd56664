import { useStore } from 'zustand'
import type { AppClient } from '../../../../shared/api/contract.ts'
import type { AgentCommand } from '../../../../shared/agents/agent-offers.ts'
import type { SlashCommandFacts } from '../../../../shared/api/workspace.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { useAgentOffers } from '../../../state/agents/use-agent-offers.ts'
import { useOtherAgents } from '../../../state/agents/use-other-agents.ts'
import { canPassOn } from '../../../state/commands/send-to-agent.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { answeringWords } from '../../../ui/format.ts'
import { type DeskCommand, deskSlashCommands } from '../../../state/slash/desk-slash-commands.ts'
import { byUse } from '../../../state/stores/used-choices.ts'
import { useAnswer } from '../../../state/use-answer.ts'
import type { CompletionTarget, CompletionOption } from './completion-target.ts'
import { useResourceOptions } from './use-resource-options.ts'
import { useSessionOptions } from './use-session-options.ts'
import { useSymbolOptions } from './use-symbol-options.ts'

/** Maximum number of paths once something is typed, so that symbols and sessions are visible below them. */
const MAX_PATHS = 12
const NO_COMMANDS: readonly AgentCommand[] = []
const ORIGINS = { project: 'project', person: 'yours', server: 'MCP server', 'built-in': '' } as const

interface Options {
  readonly options: readonly CompletionOption[]
  /** The argument that the command accepts, shown until the user types one. Empty if there is none. */
  readonly hint: string
  /** Whether the commands of the folder are still being read. If so, more options may follow. */
  readonly isLoading: boolean
  /** The desk command with this name. Null if there is none, or if a command of the folder has the same name. */
  readonly ofDesk: (name: string) => DeskCommand | null
}

/**
 * Returns the options for the text being completed. Until the answer arrives, the options for the previous input are shown. Options that
 * were used before come first.
 */
export function useCompletionOptions(sessionId: SessionId, completing: CompletionTarget | null): Options {
  const desk = useDesk()
  const folder = useSession(sessionId, ({ cwd }) => cwd, '')
  const found = useFolderCommands(folder, completing !== null && completing.kind !== 'path')
  const ofAgent = useAgentOffers(sessionId).offers?.commands ?? NO_COMMANDS
  const isOfAgent = (name: string): boolean => ofAgent.some((one) => one.name === name)
  const commands = (found ?? []).filter(({ name }) => !isOfAgent(name))
  const isLoading = found === null && completing?.kind === 'command'
  const paths = usePaths(folder, completing)
  const agents = useAgentOptions(sessionId, completing)
  const symbols = useSymbolOptions(completing, folder)
  const sessions = useSessionOptions(sessionId, completing)
  const resources = useResourceOptions(sessionId, completing, folder)
  const ofDesk = (name: string): DeskCommand | null =>
    isOfAgent(name) || commands.some((one) => one.name === name)
      ? null
      : (deskSlashCommands(desk, sessionId).find((one) => one.name === name) ?? null)

  switch (completing?.kind) {
    case undefined:
      return { options: [], hint: '', isLoading, ofDesk }
    case 'path': {
      const others = [symbols, sessions, resources].flatMap((options) => byUse(options, desk.used))
      const shown = paths.slice(0, completing.typed === '' ? paths.length : MAX_PATHS)
      return { options: [...agents, ...shown, ...others], hint: '', isLoading, ofDesk }
    }
    case 'argument': {
      const { command, typed } = completing
      const choices = ofDesk(command)?.choices ?? []
      const options = choices.map(({ value, about, run }) => option(`argument:${command}:${value}`, value, about, null, run))
      const hint = ofDesk(command)?.hint ?? [...ofAgent, ...commands].find(({ name }) => name === command)?.hint ?? ''
      return {
        options: byUse(fitting(options, typed), desk.used),
        hint: typed === '' && hint !== '' ? `/${command} ${hint}` : '',
        isLoading,
        ofDesk,
      }
    }
    case 'command': {
      const theirs = [...ofAgent.map(agentOption), ...commands.map(commandOption)]
      const names = new Set([...ofAgent, ...commands].map(({ name }) => name))
      const own = deskSlashCommands(desk, sessionId).filter(({ name }) => !names.has(name))
      return {
        options: fitting(byUse([...theirs, ...own.map(deskOption)], desk.used), `/${completing.typed}`),
        hint: '',
        isLoading,
        ofDesk,
      }
    }
  }
}

/** The commands of the folder. Null before the first answer. */
function useFolderCommands(folder: string, isWanted: boolean): readonly SlashCommandFacts[] | null {
  const desk = useDesk()
  // Prompts of running MCP servers are commands, so the commands are read again when a server starts or ends.
  const running = useStore(desk.mcp, ({ mcp }) => mcp?.servers.filter(({ status }) => status === 'running').length ?? 0)
  const ask = isWanted && folder !== '' ? (client: AppClient) => client.workspace.commands({ folder }) : null
  return useAnswer(folder, ask, [running]).last?.commands ?? null
}

function usePaths(folder: string, completing: CompletionTarget | null): readonly CompletionOption[] {
  const desk = useDesk()
  const typed = completing?.kind === 'path' ? completing.typed : null
  const ask = (client: AppClient) => {
    const recent = desk.used.after(pathKey(folder, '')).slice(0, 100)
    return client.workspace.files({ folder, typed: typed ?? '', recent: [...recent] })
  }
  const paths = useAnswer(`${folder}\n${typed}`, typed === null || folder === '' ? null : ask).last?.paths ?? []
  // Choosing a folder continues the completion inside it, so no space follows a folder.
  return paths.map((path) => ({
    id: path,
    used: pathKey(folder, path),
    words: path,
    about: '',
    origin: '',
    text: path.endsWith('/') ? `@${path}` : `@${path} `,
  }))
}

const pathKey = (folder: string, path: string): string => `path:${folder}:${path}`

const option = (used: string, words: string, about: string, text: string | null, run: () => void): CompletionOption => ({
  id: used,
  used,
  words,
  about,
  origin: '',
  text,
  run,
})

/** Choosing a command that accepts an argument only inserts its name. Enter then runs the command. */
const deskOption = ({ name, about, hint, run }: DeskCommand): CompletionOption => {
  const shown = hint === '' ? about : `${hint}  ${about}`
  return hint === ''
    ? option(`command:${name}`, `/${name}`, shown, null, () => void run(''))
    : { id: `command:${name}`, used: `command:${name}`, words: `/${name}`, about: shown, origin: '', text: `/${name} ` }
}

const agentOption = ({ name, description, hint }: AgentCommand): CompletionOption => ({
  id: `agent:${name}`,
  used: `command:${name}`,
  words: `/${name}`,
  about: [hint, description].filter((words) => words !== '').join('  '),
  origin: 'agent',
  text: `/${name} `,
})

const commandOption = ({ name, description, hint, from, ...sets }: SlashCommandFacts): CompletionOption => ({
  id: `${from}:${name}`,
  used: `command:${name}`,
  words: `/${name}`,
  about: [hint, answeringWords(sets), description].filter((words) => words !== '').join('  '),
  origin: ORIGINS[from],
  text: `/${name} `,
})

/** Returns the option that was typed completely, then the options that begin with the typed text, then those that contain it. */
function fitting(options: readonly CompletionOption[], typed: string): readonly CompletionOption[] {
  const wanted = typed.trim().toLowerCase()
  const inside = wanted.replace(/^\//u, '')
  const distance = ({ words }: CompletionOption): number => {
    const shown = words.toLowerCase()
    return shown === wanted ? 0 : shown.startsWith(wanted) ? 1 : shown.includes(inside) ? 2 : 3
  }
  return options.filter((one) => distance(one) < 3).toSorted((a, b) => distance(a) - distance(b))
}

/** The installed third-party agents, for `@` at the start of the message. Empty in a session that already uses one of them. */
function useAgentOptions(sessionId: SessionId, completing: CompletionTarget | null): readonly CompletionOption[] {
  const canCall = useSession(sessionId, ({ config }) => canPassOn(config), false)
  const isWanted = canCall && completing?.kind === 'path' && completing.from === 0
  const { found } = useOtherAgents(isWanted)
  if (!isWanted || found === null) return []
  const typed = completing.typed.toLowerCase()
  return found.agents
    .filter(({ id, name, file }) => file !== null && [id, name.toLowerCase()].some((one) => one.startsWith(typed)))
    .map(({ id, name }) => ({
      id: `agent:${id}`,
      used: `agent:${id}`,
      words: `@${id}`,
      about: `${name} works on this in its own layer`,
      origin: 'agent',
      text: `@${id} `,
    }))
}
