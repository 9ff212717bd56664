import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { bringIn } from '../../../main/layers/bring-in-session.ts'
import type { App } from '../../../main/compose/app.ts'
import { besideWith } from '../../../main/foreign-agents/known-agents.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import type { OpenedSession } from '../../../main/sessions/opened-session.ts'

const ID = 'driven'
/** Stands for the address of the scripted model in the agent's arguments and variables. */
const MODEL = '$MODEL'

const texts = z.array(z.string())

/** A third-party agent, with the fields of agents.json. */
export const foreignAgent = z.strictObject({
  command: z.string().min(1),
  args: texts.default([]),
  env: z.record(z.string(), z.string()).default({}),
  modes: texts.default([]),
  hosts: texts.default([]),
  ports: z.array(z.number().int().min(1).max(65_535)).default([]),
  folders: texts.default([]),
  settings: texts.default([]),
  /** Values of its choices, such as its model, by their ids. */
  choose: z.record(z.string(), z.string()).default({}),
})
export type ForeignAgentArguments = z.infer<typeof foreignAgent>

/** Adds the agent to a data folder, before an app opens it. `modelUrl`: null if no model is scripted. */
export async function defineAgent(dataFolder: string, agent: ForeignAgentArguments, modelUrl: string | null): Promise<void> {
  const { choose: _, ...entry } = agent
  const filled = (text: string): string => text.replaceAll(MODEL, modelUrl ?? '')
  const own = {
    ...entry,
    args: entry.args.map(filled),
    env: Object.fromEntries(Object.entries(entry.env).map(([name, value]) => [name, filled(value)])),
    ports: [...entry.ports, ...(modelUrl === null ? [] : [Number(new URL(modelUrl).port)])],
  }
  await writeFile(join(dataFolder, 'agents.json'), JSON.stringify({ agents: { [ID]: own } }))
}

/** The configuration of the agent's session. */
export const configOfAgent = (): Partial<SessionConfigured> => besideWith(ID)

/** Makes the choices that the arguments name, before the agent starts. */
export async function chooseFor({ agentChoices }: App, { sessionId }: OpenedSession, { choose }: ForeignAgentArguments): Promise<void> {
  for (const [id, value] of Object.entries(choose)) await agentChoices.choose(sessionId, id, value)
}

/** Starts a session that brings in the changes of this one. Throws an `Error` with a sentence if there are none. */
export async function broughtIn(app: App, { sessionId }: OpenedSession, signal: AbortSignal): Promise<OpenedSession> {
  const asked = await bringIn(app, sessionId, signal)
  if (!asked.ok) throw new Error(asked.failure.what)
  return asked.value.session
}
