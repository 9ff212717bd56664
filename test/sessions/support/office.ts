import { createAmending } from '../../../main/changes/amending.ts'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../../main/environment/system-clock.ts'
import type { OpenedSession } from '../../../main/sessions/opened-session.ts'
import { createSessions, type Sessions } from '../../../main/sessions/sessions.ts'
import { openStore } from '../../../main/store/open-store.ts'
import type { Store } from '../../../main/store/store.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { SessionStreamItem } from '../../../shared/api/sessions.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import { foldAll } from '../../../shared/session/fold/fold.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { httpProvider, testRuntime, testWorkspaces } from '../../agent/support/runtime.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The sessions of one process over a real store, with a scripted model over real HTTP. */
export interface Office {
  readonly data: string
  readonly folder: string
  readonly model: ScriptedModel
  readonly store: Store
  readonly sessions: Sessions
  create(mode?: SessionConfigured['mode']): Promise<OpenedSession>
  /** Opens the same store again, as the next process would. */
  next(): Promise<Office>
}

export async function openOffice(script: Script): Promise<Office> {
  const base = temporaryFolder('sessions')
  const folder = join(base, 'workspace')
  await mkdir(folder)
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  return office(join(base, 'data'), folder, model)
}

async function office(data: string, folder: string, model: ScriptedModel): Promise<Office> {
  const store = value(await openStore(data))
  onTestFinished(() => store.close())
  const workspaces = testWorkspaces()
  onTestFinished(() => workspaces.closeAll())
  const provider = httpProvider(model.url)
  const sessions = createSessions({
    store,
    clock: systemClock,
    amending: createAmending(store.blobs),
    async runtimeFor(session) {
      const there = await workspaces.inspect(session.folder)
      return there.ok ? ok(await testRuntime(store, workspaces, session, provider)) : failed(there.failure)
    },
  })
  onTestFinished(() => sessions.closeAll())
  const config = { provider: 'anthropic', model: 'claude-haiku-4-5', effort: null, baseUrl: null } as const
  return {
    data,
    folder,
    model,
    store,
    sessions,
    create: async (mode = 'ask') => value(await sessions.create({ cwd: folder, ...config, mode })),
    next: () => office(data, folder, model),
  }
}

export function value<T>(result: Result<T, Trouble>): T {
  if (!result.ok) throw new Error(result.failure.what)
  return result.value
}

export const idOf = (text: string): SessionId => SessionId.parse(text)

/** A window on a session. It folds the stream item by item. */
export interface Window {
  readonly items: readonly SessionStreamItem[]
  state(): SessionState
  /** Resolves as soon as `look` finds something in the window's state. */
  shows<T>(look: (state: SessionState) => T | null | false): Promise<T>
  close(): void
}

export function openWindow(session: OpenedSession, cursor: number | null = null, from: SessionState | null = null): Window {
  const items: SessionStreamItem[] = []
  const looks = new Set<() => void>()
  const closing = new AbortController()
  let state = from
  void (async () => {
    for await (const item of session.watch(cursor, closing.signal)) {
      items.push(item)
      if (item.kind === 'snapshot') state = item.state
      if (item.kind === 'events' && state) state = foldAll(state, item.envelopes)
      for (const look of looks) look()
    }
  })()
  onTestFinished(() => closing.abort())
  return {
    items,
    state() {
      if (!state) throw new Error('The window shows nothing yet.')
      return state
    },
    shows: (look) =>
      new Promise((resolve) => {
        const again = (): void => {
          const found = state && look(state)
          if (found === null || found === false) return
          looks.delete(again)
          resolve(found)
        }
        looks.add(again)
        again()
      }),
    close: () => closing.abort(),
  }
}

export const waits = ({ items }: SessionState): CallItem | null =>
  items.findLast((item): item is CallItem => item.kind === 'call' && item.status === 'waiting') ?? null

/** Answers the waiting call as a user at a terminal would. */
export async function answerIn(session: OpenedSession, call: CallItem, note?: string) {
  if (!call.approval) throw new Error('Nothing waits.')
  const { approvalId, hash } = call.approval
  const answer = note === undefined ? ({ kind: 'sign' } as const) : ({ kind: 'refuse', note } as const)
  return session.answer({ approvalId, hash, answer, from: 'terminal' })
}
