import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeFolder } from '../../support/remove-folder.ts'
import { onTestFinished, vi } from 'vitest'
import { headlessHost } from '../../../main/headless/headless-host.ts'
import { createServedApp } from '../../../main/compose/served-app.ts'
import type { Host, Note } from '../../../main/host.ts'
import type { AppClient } from '../../../shared/api/contract.ts'
import type { RunningWork } from '../../../shared/api/app.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { connect } from '../../../shared/wire/connect.ts'
import { expectAllSameAfterImport } from '../../transfer/support/same-fold.ts'
import { memoryWire } from '../../support/memory-wire.ts'
import { serve } from '../../../shared/wire/serve.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'

export const KEY = 'sk-ant-a-key-that-is-nobodys-4321'

/** The entire app over a temporary data folder, with a client like that of a window. */
export interface ServedDesk {
  readonly data: string
  /** An empty project folder that nobody has trusted or refused yet. */
  readonly folder: string
  readonly model: ScriptedModel
  readonly client: AppClient
  /** Names of the endpoints whose handlers have failed so far because of a bug. */
  readonly bugs: readonly string[]
  /** Notifications that were shown while no window was open, oldest first. */
  readonly notes: readonly Note[]
  /** Starts showing notifications as if no window were open. Aborting the returned controller stops these notifications. */
  withoutWindow(): AbortController
  /** Opens another window. */
  window(): AppClient
  /** What the app says about running turns and commands, oldest first. */
  readonly activity: readonly boolean[]
  /** The numbers of sessions with an open request, as the app told them. */
  readonly needs: readonly number[]
  /** The work that closing the app would end. */
  working(): readonly RunningWork[]
  /** The recent folders, as the app told them last. */
  readonly recent: () => readonly string[]
  /** Creates a session in the folder and trusts the folder. The session uses the scripted model. */
  session(mode?: 'ask' | 'full'): Promise<SessionId>
  /** Stops the app and starts it again over the same data. */
  again(): Promise<ServedDesk>
  /** Starts a second app over the same data while this one runs. */
  beside(): Promise<ServedDesk>
}

export async function openDesk(script: Script = []): Promise<ServedDesk> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-api-')))
  onTestFinished(async () => {
    await expectAllSameAfterImport(join(base, 'data')).finally(() => removeFolder(base))
  })
  for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']) vi.stubEnv(name, '')
  const data = join(base, 'data')
  const folder = join(base, 'project')
  mkdirSync(folder)
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  return deskOver({ data, folder, model })
}

/** Opens the app over existing data. */
export async function deskOver(kept: Pick<ServedDesk, 'data' | 'folder' | 'model'>): Promise<ServedDesk> {
  const notes: Note[] = []
  const host: Host = { ...headlessHost(), notify: (note) => void notes.push(note) }
  const parts = { host, dataFolder: kept.data, version: '0.0.0', openFolder: null, watched: true } as const
  const app = await createServedApp({ ...parts, whenUnsaved: 'fail' })
  if (!app.ok) throw new Error(app.failure.what)
  let isOpen = true
  const close = async (): Promise<void> => {
    if (isOpen) await app.value.close()
    isOpen = false
  }
  onTestFinished(close)
  const activity: boolean[] = []
  const following = app.value.followActivity((isBusy) => activity.push(isBusy))
  onTestFinished(() => following.dispose())
  const needs: number[] = []
  const followingNeeds = app.value.followNeeds((count) => needs.push(count))
  onTestFinished(() => followingNeeds.dispose())
  let recent: readonly string[] = []
  const followingFolders = app.value.followFolders((folders) => (recent = folders))
  onTestFinished(() => followingFolders.dispose())
  const bugs: string[] = []
  const window = (): AppClient => {
    const [page, main] = memoryWire()
    serve(main, app.value.contract, app.value.handlers, { connection: 'window', onBug: (_, name) => bugs.push(name) })
    onTestFinished(() => page.close())
    return connect(page, app.value.contract)
  }
  const client = window()
  return {
    ...kept,
    client,
    bugs,
    notes,
    activity,
    needs,
    working: app.value.runningWork,
    recent: () => recent,
    withoutWindow() {
      const controller = new AbortController()
      onTestFinished(() => controller.abort())
      void app.value.notifyNeeds(controller.signal)
      return controller
    },
    window,
    async session(mode = 'full') {
      await client.workspace.trust({ folder: kept.folder, trusted: true })
      await client.settings.change({ baseUrl: { provider: 'anthropic', url: kept.model.url } })
      await client.settings.setKey({ provider: 'anthropic', key: KEY })
      const created = await client.sessions.create({ folder: kept.folder, provider: 'anthropic', model: 'claude-haiku-4-5', mode })
      if (!created.ok) throw new Error(created.trouble.what)
      return created.sessionId
    },
    async again() {
      await close()
      return deskOver(kept)
    },
    beside: () => deskOver(kept),
  }
}

/** Collects the items of a stream up to the first one that `look` accepts, or up to the end of the stream. */
export async function until<T>(stream: AsyncIterable<T>, look: (item: T) => boolean = () => false): Promise<readonly T[]> {
  const items: T[] = []
  for await (const item of stream) {
    items.push(item)
    if (look(item)) break
  }
  return items
}

/** Returns a signal that is aborted when the test ends. */
export function staying(): AbortSignal {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  return abort.signal
}

let inputs = 0

/** Sends a message, and waits until its turn has ended. */
export async function ask({ client }: ServedDesk, sessionId: SessionId, text: string): Promise<void> {
  const sent = await client.sessions.send({ sessionId, inputId: `in_${++inputs}`, text, delivery: 'queue' })
  if (!sent.ok) throw new Error(sent.trouble.what)
  let hasBegun = false
  for await (const item of client.sessions.list({}, staying())) {
    const own =
      item.kind === 'all' ? item.sessions.find((one) => one.sessionId === sessionId) : item.kind === 'changed' ? item.session : null
    if (own?.sessionId !== sessionId) continue
    hasBegun ||= own.title !== ''
    if (hasBegun && own.run === 'IDLE' && own.turnEnd > 0) return
  }
}
