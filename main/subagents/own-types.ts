import { basename } from 'node:path'
import type { Trouble } from '../../shared/session/events.ts'
import type { AgentType } from '../agent/ports/subagents.ts'
import { AGENT_TYPES } from './built-in-types.ts'
import { readAgentFile } from './agent-file.ts'

/** A file in which a kind of subagent is written down; `text` null: it cannot be read, and `why` says why. */
export type AgentText = { readonly path: string } & ({ readonly text: string } | { readonly text: null; readonly why: string })

export interface KnownTypes {
  readonly types: readonly AgentType[]
  /** What of the files could not be used. */
  readonly troubles: readonly Trouble[]
}

/**
 * The kinds of subagents of a session: ours, then those of the files in their order. Names are taken by whoever comes first, so that a folder
 * changes the meaning of no name that its person knows. A file that cannot be used is a trouble and costs no other.
 */
export function knownTypes(files: readonly AgentText[], meant: (name: string) => readonly string[]): KnownTypes {
  const types = new Map<string, AgentType>(AGENT_TYPES.map((type) => [type.name, type]))
  const troubles: Trouble[] = []
  for (const file of files) {
    const { path } = file
    if (file.text === null) {
      troubles.push(notUsed(path, file.why))
      continue
    }
    const read = readAgentFile(basename(path, '.md'), file.text, meant)
    if (!read.ok) troubles.push(notUsed(path, read.failure))
    else if (types.has(read.value.type.name)) troubles.push(notUsed(path, `There is another agent called ${read.value.type.name}.`))
    else {
      const { type, unknownTools } = read.value
      types.set(type.name, type)
      if (unknownTools.length > 0) troubles.push(without(path, unknownTools))
    }
  }
  return { types: [...types.values()], troubles }
}

const notUsed = (path: string, why: string): Trouble => ({
  code: 'agent_file',
  what: `${path} is not used as a kind of subagent: ${why}`,
  kept: 'The file as it is, and every other kind.',
  todo: 'Correct it; it is read when a session is opened.',
})

const without = (path: string, tools: readonly string[]): Trouble => ({
  code: 'agent_file',
  what: `${path} names tools that are not known here: ${tools.join(', ')}.`,
  kept: 'It is used without them.',
  todo: 'Correct their names, or leave them out.',
})
