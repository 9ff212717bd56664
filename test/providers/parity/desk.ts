import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Tool } from '../../../main/agent/ports/tool.ts'
import type { EventLog } from '../../../main/agent/ports/event-log.ts'
import type { Session } from '../../../main/agent/session.ts'
import { type App, createApp } from '../../../main/compose/app.ts'
import { headlessHost } from '../../../main/headless/headless-host.ts'
import type { RemoteProviderId } from '../../../main/providers/providers.ts'
import { createMemorySecrets } from '../../../main/settings/secrets.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { call, type Script, type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A provider, a model that it serves, and the base path of its wire format. */
export interface Way {
  readonly provider: RemoteProviderId
  readonly model: string
  readonly path: '' | '/v1'
}

export const WAYS: readonly Way[] = [
  { provider: 'openai', model: 'gpt-5.5', path: '/v1' },
  { provider: 'openai-compatible', model: 'qwen3-coder:30b', path: '/v1' },
  { provider: 'anthropic', model: 'claude-sonnet-5-5', path: '' },
  { provider: 'gemini', model: 'gemini-3.8-flash', path: '' },
]

/** The entire app, set up as in the headless shell, in a real folder. Only the model is scripted, over real HTTP. */
export interface Desk {
  readonly app: App
  readonly folder: string
  readonly model: ScriptedModel
  readonly session: Session
  /** Sends a task and resolves with the state at the end of its turn. */
  run(task: string): Promise<SessionState>
  write(path: string, text: string): Promise<void>
  read(path: string): Promise<string>
  events(): readonly DurableEvent[]
  /** Sets a key for another provider. */
  allow(way: Way): Promise<unknown>
  /** Returns the body of the request with this index, as text. */
  asked(index: number): string
}

/** `own`: tools of MCP servers or a host program. */
export async function openDesk({ provider, model: modelName, path }: Way, script: Script, own: readonly Tool[] = []): Promise<Desk> {
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  const folder = temporaryFolder('parity')
  const dataFolder = temporaryFolder('parity-data')
  const secrets = createMemorySecrets()
  await secrets.set(provider, 'test-key-0123456789')
  const changes = { added: own, removed: new Set<string>() }
  const parts = {
    dataFolder,
    version: '0',
    openFolder: null,
    watched: false,
    whenUnsaved: 'fail',
    limits: { maxRounds: 0 },
    trusted: folder,
    tools: () => changes,
  } as const
  const app = await createApp({ host: { ...headlessHost(), secrets }, ...parts })
  if (!app.ok) throw new Error(app.failure.what)
  onTestFinished(() => app.value.close())
  const started = await app.value.starter.start(folder, { provider, model: modelName, baseUrl: `${model.url}${path}`, mode: 'full' })
  if (!started.ok) throw new Error(started.failure.what)
  const session = started.value.running()
  if (!session) throw new Error('The session does not run.')
  return {
    app: app.value,
    folder,
    model,
    session,
    run(task) {
      session.submit(task)
      return Promise.race([session.idle(), waitsForPerson(app.value.store.log(session.record.sessionId))])
    },
    write: (name, text) => writeFile(join(folder, name), text),
    read: (name) => readFile(join(folder, name), 'utf8'),
    events: () => [...app.value.store.log(session.record.sessionId).read()].map(({ event }) => event),
    allow: (other) => secrets.set(other.provider, 'test-key-0123456789'),
    asked: (index) => JSON.stringify(model.requests[index]?.json ?? null),
  }
}

/** Rejects when the session asks for a user's signature. No user is there, so without this the test would wait forever. */
function waitsForPerson(log: EventLog): Promise<never> {
  return new Promise((_, reject) => {
    const { dispose } = log.subscribe(({ event }) => {
      if (event.kind === 'APPROVAL_REQUESTED') reject(new Error(`Nobody is here to sign: ${JSON.stringify(event)}`))
    })
    onTestFinished(dispose)
  })
}

/** Returns a one-line edit in the form that models of this family use: a patch for OpenAI, a replacement for the others. */
export function nativeEdit({ provider }: Way, path: string, from: string, to: string) {
  if (provider !== 'openai') return call('edit_file', { file_path: path, old_string: from, new_string: to })
  return call('apply_patch', { patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n+${to}\n*** End Patch` })
}

/** For each call that has ended, returns the tool, whether the call failed, and what the model got. */
export function endsOf(desk: Desk): readonly { readonly tool: string; readonly isError: boolean; readonly output: string }[] {
  return desk
    .events()
    .flatMap((event) => (event.kind === 'TOOL_CALL_END' ? [{ tool: event.toolName, isError: event.isError, output: event.output }] : []))
}
