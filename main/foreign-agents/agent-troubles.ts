import type { Trouble } from '../../shared/session/events.ts'
import { type AgentEntry, AGENTS } from './catalogue.ts'

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
