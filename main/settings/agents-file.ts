import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'

const ownAgent = once(() =>
  z.object({
    name: z.string().min(1).max(60).optional(),
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    modes: z.array(z.string()).optional(),
    hosts: z.array(z.string()).optional(),
    ports: z.array(z.number().int().min(1).max(65_535)).optional(),
    folders: z.array(z.string().startsWith('/')).optional(),
    settings: z.array(z.string().startsWith('/')).optional(),
  }),
)
const agentsFile = once(() => z.object({ agents: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,39}$/u), ownAgent()) }))

/** An entry of the user's agents.json. */
export type OwnAgent = z.infer<ReturnType<typeof ownAgent>>

/** The agents in the user's agents.json, by id. `problem`: a sentence that says why the file cannot be used. Null if there is no problem or no file. */
export interface OwnAgents {
  readonly agents: Readonly<Record<string, OwnAgent>>
  readonly problem: string | null
}

/**
 * Reads `agents.json` in the data folder: `{"agents": {ID: {name, command, args, env, modes, hosts, ports, folders, settings}}}`. Its entries
 * add agents, or change those of the catalogue.
 */
export function readAgentsFile(dataFolder: string): OwnAgents {
  const file = join(dataFolder, 'agents.json')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return { agents: {}, problem: null }
  }
  try {
    const parsed = agentsFile().safeParse(JSON.parse(text))
    if (parsed.success) return { agents: parsed.data.agents, problem: null }
    const [issue] = parsed.error.issues
    return { agents: {}, problem: `${file} cannot be used: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'it has the wrong form'}.` }
  } catch (error) {
    return { agents: {}, problem: `${file} is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
