import { basename, extname } from 'node:path'
import type { Trouble } from '../../shared/session/events.ts'
import type { AgentType } from '../agent/ports/subagents.ts'
import { AGENT_TYPES } from './built-in-agents.ts'
import { type AgentFormat, readAgentFile } from './agent-file.ts'

/** A file that defines an agent type. `text` is null if the file cannot be read, and `why` is the reason. */
export type AgentText = { readonly path: string; readonly format: AgentFormat } & (
  | { readonly text: string }
  | { readonly text: null; readonly why: string }
)

export interface KnownAgentTypes {
  readonly types: readonly AgentType[]
  /** Files, or tools in files, that could not be used. */
  readonly troubles: readonly Trouble[]
}

/**
 * The agent types of a session: the built-in types, followed by those of the files in order. If several types have the same name, the first
 * one is used, so that a project cannot change what a name means to the user. A file that cannot be used becomes a trouble and does not
 * affect the others.
 */
export async function knownAgentTypes(files: readonly AgentText[], meant: (name: string) => readonly string[]): Promise<KnownAgentTypes> {
  const types = new Map<string, AgentType>(AGENT_TYPES.map((type) => [type.name, type]))
  const troubles: Trouble[] = []
  for (const file of files) {
    const { path } = file
    if (file.text === null) {
      troubles.push(notUsed(path, file.why))
      continue
    }
    const read = await readAgentFile(basename(path, extname(path)), file.text, meant, file.format)
    if (!read.ok) troubles.push(notUsed(path, read.failure))
    else if (types.has(read.value.type.name)) troubles.push(notUsed(path, `There is already an agent called ${read.value.type.name}.`))
    else {
      const { type, unknownTools, unusedFields } = read.value
      types.set(type.name, { ...type, path })
      if (unusedFields.length > 0) troubles.push(withoutEffect(path, unusedFields))
      if (unknownTools.length > 0) troubles.push(without(path, unknownTools))
    }
  }
  return { types: [...types.values()], troubles }
}

const notUsed = (path: string, why: string): Trouble => ({
  code: 'agent_file',
  what: `${path} is not used as an agent: ${why}`,
  kept: 'The file is unchanged, and all other agents are used.',
  todo: 'Correct the file. It is read again when a session is opened.',
})

const without = (path: string, tools: readonly string[]): Trouble => ({
  code: 'agent_file',
  what: `${path} lists tools that do not exist here: ${tools.join(', ')}.`,
  kept: 'The agent is used without them.',
  todo: 'Correct their names, or remove them.',
})

const withoutEffect = (path: string, fields: readonly string[]): Trouble => ({
  code: 'agent_file',
  what: `${path} has fields that have no effect here: ${fields.join(', ')}.`,
  kept: 'The agent is used without them.',
  todo: 'If the agent needs these fields, describe in its instructions what they should do.',
})
