import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../../main/compose/app.ts'
import { besideWith } from '../../../main/foreign-agents/known-agents.ts'
import type { OpenedSession } from '../../../main/sessions/opened-session.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { appOver } from '../../headless/support/app-over.ts'
import { ROOT } from '../../headless/support/agent-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

type EventOf<K extends DurableEvent['kind']> = Extract<DurableEvent, { kind: K }>

export interface AgentPlace {
  readonly app: App
  readonly project: string
  readonly data: string
  start(agent?: string): Promise<OpenedSession>
}

/** A project and an app that knows the fake agent as `fake`. The agent keeps its sessions in a folder of its own. `more`: further fields of agents.json. */
export async function agentPlace(more: object = {}, parts: Parameters<typeof appOver>[2] = {}): Promise<AgentPlace> {
  const project = temporaryFolder('project')
  const data = temporaryFolder('data')
  const program = temporaryFolder('fake-agent')
  await cp(join(ROOT, 'test/fixtures/foreign-agents/fake-agent.mjs'), join(program, 'agent.mjs'))
  await mkdir(join(program, 'sessions'))
  const fake = {
    command: process.execPath,
    args: [join(program, 'agent.mjs'), join(program, 'sessions')],
    modes: ['free'],
    folders: [program],
  }
  await writeFile(join(data, 'agents.json'), JSON.stringify({ agents: { fake: { name: 'Fake', ...fake, ...more } } }))
  const app = await appOver(data, project, parts)
  return { app, project, data, start: (agent = 'fake') => startWith(app, project, agent) }
}

export async function startWith(app: App, project: string, agent: string): Promise<OpenedSession> {
  const started = await app.starter.start(project, besideWith(agent))
  if (!started.ok) throw new Error(started.failure.what)
  return started.value
}

/** Sends a message, or steps of the fake agent as JSON, and waits for the end of the turn. */
export async function send(session: OpenedSession, message: string | readonly object[]): Promise<void> {
  const running = session.running()
  if (!running) throw new Error(session.obstacle()?.what)
  running.submit(typeof message === 'string' ? message : JSON.stringify(message))
  await running.idle()
}

export const eventsOf = <K extends DurableEvent['kind']>(session: OpenedSession, kind: K): readonly EventOf<K>[] =>
  [...session.record.read()].flatMap(({ event }) => (event.kind === kind ? [event as EventOf<K>] : []))

/** The text of all answers. */
export const saidIn = (session: OpenedSession): string =>
  eventsOf(session, 'ASSISTANT_TURN')
    .flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])))
    .join('|')

/** The title of each step, and the files that it changed. */
export function changesByStep(session: OpenedSession): readonly (readonly [string, readonly string[]])[] {
  const titles = new Map(
    eventsOf(session, 'TOOL_CALL_START').map(({ toolCallId, args }) => [
      toolCallId,
      typeof args?.['title'] === 'string' ? args['title'] : '',
    ]),
  )
  return eventsOf(session, 'FILES_CHANGED').map(({ toolCallId, files }) => [
    titles.get(toolCallId) ?? '',
    files.map(({ shown, before, after }) => `${before === null ? '+' : after === null ? '-' : '~'}${shown}`),
  ])
}
