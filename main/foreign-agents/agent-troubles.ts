import type { Trouble } from '../../shared/session/events.ts'
import { AGENTS } from './catalogue.ts'
import type { KnownAgent } from './known-agents.ts'

export const unknownAgent = (id: string): Trouble => ({
  code: 'unknown_agent',
  what: `There is no agent ${id}.`,
  kept: 'Nothing was started. What is stored can be read.',
  todo: `Known are ${AGENTS.map((agent) => agent.id).join(', ')}. Others can be added to agents.json of the data folder.`,
})

export const notConfined = ({ name }: KnownAgent): Trouble => ({
  code: 'agent_not_confined',
  what: `${name} cannot work here: no layer can be made in which it could run confined.`,
  kept: 'The folder is unchanged, and the agent was not started.',
  todo: 'Agents of other makers need Linux with bubblewrap and socat: sudo apt-get install bubblewrap socat',
})
