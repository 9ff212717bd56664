import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ListedOtherAgents } from '../../shared/agents/other-agents-api.ts'
import type { SessionConfigured, Trouble } from '../../shared/session/events.ts'
import { ownProgram } from '../environment/own-programs/own-programs.ts'
import { programFolders } from '../environment/process/program-folders.ts'
import { type OwnAgent, readAgentsFile } from '../settings/agents-file.ts'
import { type AgentEntry, AGENTS } from './catalogue.ts'

/** An agent that can be chosen, as the catalogue and the user's own file describe it together. */
export interface KnownAgent extends AgentEntry {
  /** Absolute path of the program. Null if it was not found. */
  readonly file: string | null
  /** Folders of its program that it has to read. */
  readonly programFolders: readonly string[]
  /** Ports of this machine that it reaches at `127.0.0.1`, such as that of a local model. */
  readonly ports: readonly number[]
}

/** Absolute paths that programs in the layer of an agent see, and those that they can change too. */
export interface AgentFolders {
  readonly visible: readonly string[]
  readonly writable: readonly string[]
}

interface KnownAgents {
  readonly agents: readonly KnownAgent[]
  /** What is wrong with the user's own file, as a sentence. Null if nothing is. */
  readonly problem: string | null
}

/** The agents of the catalogue and of the user's file. Programs are searched each time, so that one that was just installed is found. */
function knownAgents(dataFolder: string): KnownAgents {
  const { agents: own, problem } = readAgentsFile(dataFolder)
  const added = Object.keys(own).filter((id) => !AGENTS.some((entry) => entry.id === id))
  const entries = [...AGENTS, ...added.map(unknownEntry)]
  return { agents: entries.map((entry) => withOwn(entry, own[entry.id] ?? {})), problem }
}

/** The agents as windows show them. */
export function listedAgents(dataFolder: string): ListedOtherAgents {
  const { agents, problem } = knownAgents(dataFolder)
  return {
    problem,
    agents: agents.map(({ id, name, file, install, tested, hosts, state }) => ({ id, name, file, install, tested, hosts, state })),
  }
}

/** An agent by its id. Null if neither the catalogue nor the user's file has it. */
export function knownAgent(dataFolder: string, id: string): KnownAgent | null {
  return knownAgents(dataFolder).agents.find((agent) => agent.id === id) ?? null
}

/** Why there is no agent with this id. Null if there is one. */
export function missingAgent(dataFolder: string, id: string): Trouble | null {
  const { agents, problem } = knownAgents(dataFolder)
  return agents.some((agent) => agent.id === id) ? null : unknownAgent(id, problem)
}

/** The agent of another maker that works in a session. Null if Countersign's own agent does. */
export const agentIdOf = ({ where }: Pick<SessionConfigured, 'where'>): string | null =>
  where?.kind === 'beside' ? (where.agent ?? null) : null

/** The configuration of a new session with an agent of another maker. Its id stands for the model, which the agent chooses itself. */
export const besideWith = (agent: string): Pick<SessionConfigured, 'model' | 'where'> => ({
  model: agent,
  where: { kind: 'beside', agent },
})

/** What programs in the layer of a session see and change in addition. Nothing if no agent of another maker works in it. */
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

const unknownEntry = (id: string): AgentEntry => ({
  id,
  name: id,
  program: '',
  args: [],
  install: '',
  tested: '',
  modes: [],
  state: [],
  settings: [],
  hosts: [],
  variables: [],
  env: {},
})

/** `problem`: what is wrong with the user's own file, as a sentence. Null if nothing is. */
export const unknownAgent = (id: string, problem: string | null): Trouble => ({
  code: 'unknown_agent',
  what: `There is no agent ${id}.${problem === null ? '' : ` ${problem}`}`,
  kept: 'Nothing was started. What is stored can be read.',
  todo: `Known are ${AGENTS.map((agent) => agent.id).join(', ')}. Others can be added to agents.json of the data folder.`,
})

export const notConfined = ({ name }: Pick<AgentEntry, 'name'>): Trouble => ({
  code: 'agent_not_confined',
  what: `${name} cannot work here: no layer can be made in which it could run confined.`,
  kept: 'The folder is unchanged, and the agent was not started.',
  todo: 'Agents of other makers need Linux with bubblewrap and socat: sudo apt-get install bubblewrap socat',
})
