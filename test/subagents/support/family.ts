import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { type App, createApp } from '../../../main/compose/app.ts'
import { headlessHost } from '../../../main/headless/headless-host.ts'
import type { ScriptedAnswer, ScriptedRequest } from '../../../main/providers/rehearsal/scripted-answer.ts'
import type { OpenedSession } from '../../../main/sessions/opened-session.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { Settings } from '../../../shared/api/setting-fields.ts'
import type { SessionConfig } from '../../../shared/session/settings/session-config.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { Where } from '../../../shared/session/settings/where.ts'
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/**
 * A request and who sent it: the parent, or a child that is identified by the text of its task. `round` is the number of earlier requests
 * in the same conversation.
 */
export interface Asked extends ScriptedRequest {
  readonly who: string
  readonly round: number
  /** The text of the newest message, including results. */
  readonly newest: string
}

export interface Family {
  readonly app: App
  readonly folder: string
  readonly model: ScriptedModel
  readonly parent: OpenedSession
  children(): readonly SessionSummary[]
  child(index?: number): Promise<OpenedSession>
  /** Closes this app and opens a new one over the same data, as the next process would. */
  again(): Promise<Family>
  /** Starts another session in the same folder, in a new app over the same data. */
  another(): Promise<Family>
  /** Sends a request to the parent and waits for the end of its turn. */
  ask(text?: string): Promise<void>
}

export interface FamilyOptions {
  readonly mode?: ApprovalMode
  readonly settings?: Partial<Settings>
  readonly model?: string
  /** Runs before the app starts, with the folders that the app will use. */
  readonly prepare?: (places: { readonly folder: string; readonly data: string }) => void
  /** If false, the parent does not get the address of the scripted model. */
  readonly address?: boolean
  /** If absent, commands and subagents work in copies where that is possible. */
  readonly sandbox?: 'off'
  /** Whether a user who could answer requests is watching. */
  readonly watched?: boolean
  /** Limits of every session. */
  readonly session?: SessionConfig
  /** Where the parent works. If absent, in the folder itself. */
  readonly where?: Where
}

/** Opens a session in a real folder over the entire app. The model, over real HTTP, answers parent and children with the same script. */
export async function openFamily(
  script: (asked: Asked) => ScriptedAnswer | Promise<ScriptedAnswer>,
  {
    mode = 'full',
    settings = {},
    model: modelName = 'claude-haiku-4-5',
    prepare = () => {},
    address = true,
    watched = false,
    sandbox,
    where,
    session,
  }: FamilyOptions = {},
): Promise<Family> {
  const base = temporaryFolder('family')
  for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']) vi.stubEnv(name, '')
  const folder = join(base, 'project')
  mkdirSync(folder)
  const data = join(base, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'settings.json'), JSON.stringify(settings))
  prepare({ folder, data })
  const rounds = new Map<string, number>()
  const model = await startScriptedModel((request) => {
    const first = JSON.stringify(request.body.messages[0]?.content)
    const who = /CHILD-\w+/u.exec(first)?.[0] ?? 'PARENT'
    const round = rounds.get(who) ?? 0
    rounds.set(who, round + 1)
    return script({ ...request, who, round, newest: JSON.stringify(request.body.messages.at(-1)?.content) })
  })
  onTestFinished(() => model.close())
  const host = headlessHost()
  await host.secrets.set('anthropic', 'sk-ant-nobodys')
  const parts = {
    host,
    dataFolder: data,
    version: '0.0.0',
    openFolder: null,
    watched,
    trusted: folder,
    ...(sandbox && { sandbox }),
    ...(session && { session }),
  } as const
  const open = async (sessionId: SessionId | null): Promise<Family> => {
    const made = await createApp({ ...parts, whenUnsaved: 'fail' })
    if (!made.ok) throw new Error(made.failure.what)
    const app = made.value
    onTestFinished(() => app.close())
    const config = {
      provider: 'anthropic',
      model: modelName,
      mode,
      ...(address && { baseUrl: model.url }),
      ...(where && { where }),
    } as const
    const started = await (sessionId ? app.sessions.open(sessionId) : app.starter.start(folder, config))
    if (!started.ok) throw new Error(started.failure.what)
    const parent = started.value
    const children = () => app.store.sessions.list().filter(({ parent: link }) => link?.sessionId === parent.sessionId)
    return {
      app,
      folder,
      model,
      parent,
      children,
      again: () => open(parent.sessionId),
      another: () => open(null),
      async child(index = 0) {
        const summary = children().toReversed()[index]
        const opened = summary && (await app.sessions.open(summary.sessionId))
        if (!opened?.ok) throw new Error('There is no such child.')
        return opened.value
      },
      async ask(text = 'Go') {
        parent.running()?.submit(text)
        await parent.running()?.idle()
      },
    }
  }
  return open(null)
}
