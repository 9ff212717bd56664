import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ListedOtherAgents, SignIn } from '../../shared/agents/other-agents-api.ts'
import type { SessionConfigured, Trouble } from '../../shared/session/events.ts'
import { installCommand } from '../environment/copy/copy-support.ts'
import { ownProgram } from '../environment/own-programs/own-programs.ts'
import { programFolders } from '../environment/process/program-folders.ts'
import { type OwnAgent, readAgentsFile } from '../settings/agents-file.ts'
import { installedVersion } from '../environment/own-programs/installed-version.ts'
import { type AgentEntry, AGENTS } from './catalogue.ts'

/** An agent that can be chosen: its catalogue entry, changed by the user's agents.json. `state` and `settings` are absolute paths. */
export interface KnownAgent extends AgentEntry {
  /** Absolute path of the program. Null if it was not found. */
  readonly file: string | null
  /** The folders that its program has to read. */
  readonly programFolders: readonly string[]
  /** Ports of this machine that it reaches at `127.0.0.1`, such as the port of a local model. */
  readonly ports: readonly number[]
}

/** Absolute paths that programs in the layer of an agent can read, and paths that they can also change. */
export interface AgentFolders {
  readonly visible: readonly string[]
  readonly writable: readonly string[]
}

interface KnownAgents {
  readonly agents: readonly KnownAgent[]
  /** Why the user's agents.json cannot be used, as a sentence. Null if it can. */
  readonly problem: string | null
}

/** The agents of the catalogue and of the user's agents.json. Looks up the programs each time, so that a newly installed one is found. */
function knownAgents(dataFolder: string): KnownAgents {
  const { agents: own, problem } = readAgentsFile(dataFolder)
  const added = Object.keys(own).filter((id) => !AGENTS.some((entry) => entry.id === id))
  const entries = [...AGENTS, ...added.map(emptyEntry)]
  return { agents: entries.map((entry) => withOwn(entry, own[entry.id] ?? {})), problem }
}

/** The agents, as windows show them. `ownSignIns`: the ways to sign in that an agent has named itself. */
export function listedAgents(dataFolder: string, ownSignIns: (id: string) => readonly SignIn[]): ListedOtherAgents {
  const { agents, problem } = knownAgents(dataFolder)
  return {
    problem,
    agents: agents.map(({ id, name, file, install, signIn, tested, hosts, state }) => {
      const version = file === null ? null : installedVersion(file)
      const own = ownSignIns(id)
      const known = signIn === '' ? [] : [{ name: '', line: signIn }]
      return { id, name, file, install, signIns: own.length > 0 ? own : known, version, tested, hosts, state }
    }),
  }
}

/** An agent by its id. Null if neither the catalogue nor the user's agents.json has it. */
export function knownAgent(dataFolder: string, id: string): KnownAgent | null {
  return knownAgents(dataFolder).agents.find((agent) => agent.id === id) ?? null
}

/** Why there is no agent with this id. Null if there is one. */
export function missingAgent(dataFolder: string, id: string): Trouble | null {
  const { agents, problem } = knownAgents(dataFolder)
  return agents.some((agent) => agent.id === id) ? null : unknownAgent(id, problem)
}

/** The id of the third-party agent that works in a session. Null for Countersign's own agent. */
export const agentIdOf = ({ where }: Pick<SessionConfigured, 'where'>): string | null =>
  where?.kind === 'beside' ? (where.agent ?? null) : null

/** The configuration of a new session with a third-party agent. Its id takes the place of the model, which the agent chooses itself. */
export const besideWith = (agent: string): Pick<SessionConfigured, 'model' | 'where'> => ({
  model: agent,
  where: { kind: 'beside', agent },
})

/** What programs in the layer of a session can read and change in addition. Nothing if no third-party agent works in the session. */
export function foldersOfAgent(dataFolder: string, config: SessionConfigured | null): AgentFolders {
  const id = config && agentIdOf(config)
  const agent = id === null ? null : knownAgent(dataFolder, id)
  return { visible: agent?.programFolders ?? [], writable: agent?.state ?? [] }
}

function withOwn(entry: AgentEntry, own: OwnAgent): KnownAgent {
  const program = own.command ?? entry.program
  const file = program === '' ? null : ownProgram(program)
  return {
    ...entry,
    name: own.name ?? entry.name,
    program,
    args: own.args ?? entry.args,
    modes: own.modes ?? entry.modes,
    hosts: [...entry.hosts, ...(own.hosts ?? [])],
    env: { ...entry.env, ...own.env },
    ports: own.ports ?? [],
    state: [...entry.state.map((path) => join(homedir(), path)), ...(own.folders ?? [])],
    settings: [...entry.settings.map((path) => join(homedir(), path)), ...(own.settings ?? [])],
    file,
    programFolders: file === null ? [] : programFolders(file),
  }
}

/** An agent that is only in the user's agents.json. */
const emptyEntry = (id: string): AgentEntry => ({
  id,
  name: id,
  program: '',
  args: [],
  install: '',
  signIn: '',
  tested: '',
  modes: [],
  state: [],
  settings: [],
  hosts: [],
  variables: [],
  env: {},
})

/** `problem`: why the user's agents.json cannot be used, as a sentence. Null if it can. */
export const unknownAgent = (id: string, problem: string | null): Trouble => ({
  code: 'unknown_agent',
  what: `There is no agent ${id}.${problem === null ? '' : ` ${problem}`}`,
  kept: 'Nothing was started. Stored sessions can still be read.',
  todo: `Choose one of ${AGENTS.map((agent) => agent.id).join(', ')}, or add the agent to agents.json in the data folder.`,
})

export const notConfined = ({ name }: Pick<AgentEntry, 'name'>): Trouble => ({
  code: 'agent_not_confined',
  what: `${name} cannot run here, because it cannot be confined to a layer.`,
  kept: 'The folder is unchanged, and the agent was not started.',
  todo: ['Other agents work only on this computer, and need Linux with bubblewrap and socat.', installCommand(['bubblewrap', 'socat'])]
    .filter((part) => part !== null)
    .join(' '),
})
