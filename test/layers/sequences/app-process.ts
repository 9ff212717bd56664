import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createApp } from '../../../main/compose/app.ts'
import { layerPlacesIn } from '../../../main/host-process/here/folder-layers.ts'
import { openPlace } from '../../../main/compose/session-places/session-place.ts'
import { createCloneLayers } from '../../../main/environment/layers/clone-layers.ts'
import { headlessHost } from '../../../main/headless/headless-host.ts'
import { bringIn, openBringIn } from '../../../main/layers/bring-in-session.ts'
import { movedFolder } from '../../../main/layers/moved-folder.ts'
import { takeOver } from '../../../main/layers/take-over.ts'
import type { OpenedSession } from '../../../main/sessions/opened-session.ts'
import { newId, SessionId } from '../../../shared/lib/ids.ts'
import type { Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { LayerFile } from '../../../main/agent/ports/layers.ts'
import type { Workspace } from '../../../main/workspace/workspaces.ts'
import type { AppCalls, Read, Request } from './app-calls.ts'
import { linkTo } from './reference.ts'

/** The app as a process that can be killed. It takes calls as lines of JSON, and answers each with a line. */
const [dataFolder = '', url = ''] = process.argv.slice(2)
const host = headlessHost()
await host.secrets.set('anthropic', 'sk-ant-nobodys')
const app = good(await createApp({ host, dataFolder, version: '0.0.0', openFolder: null, watched: true, whenUnsaved: 'fail' }))
await app.sessions.recover('here')
const { sessions, store, workspaces } = app

/**
 * Ms by which the clock is ahead for whoever asks how long a layer was not used. Calls move it ahead, because a layer that was used less than
 * a second ago may show an old version. Everybody else gets the real time: a limit must not pass because another sequence took a step.
 */
let passed = 0
const real = performance.now.bind(performance)
performance.now = () => real() + (isAskedByLayer() ? passed : 0)

function isAskedByLayer(): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 3
  const { stack = '' } = new Error('Who asks for the time?')
  Error.stackTraceLimit = stackTraceLimit
  return stack.includes('/host-in-layer.ts')
}

function good<T>(result: Result<T, Trouble>): T {
  if (!result.ok) throw new Error(`${result.failure.what} ${result.failure.todo}`)
  return result.value
}

const watched = new Map<string, AbortController>()

/** Opens a session, and watches it as a window does, so that it stays open. */
async function opened(sessionId: string): Promise<OpenedSession> {
  const session = good(await sessions.open(SessionId.parse(sessionId)))
  if (watched.has(sessionId)) return session
  const leaves = new AbortController()
  watched.set(sessionId, leaves)
  void (async () => {
    for await (const _ of session.watch(null, leaves.signal));
  })().catch(() => {})
  return session
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')
function nothingThere(error: unknown): null {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
  throw error
}
const stored = (file: LayerFile | null): string | null =>
  file && (file.mode === null ? asLink(textOf(store.blobs.get(file.hash))) : textOf(store.blobs.get(file.hash)))
const asLink = (target: string): string => linkTo(target).join()

/** What a program in this place finds at a path. Null if there is nothing. */
async function shownAt({ environment }: Workspace, path: string): Promise<string | null> {
  const isLink = (await environment.lstat(path))?.kind === 'symlink'
  return isLink ? asLink(await environment.readlink(path)) : environment.readBytes(path).then(textOf, nothingThere)
}

const callsOf = (session: OpenedSession): readonly CallItem[] =>
  session.snapshot(1_000).items.flatMap((item) => (item.kind === 'call' ? [item] : []))

/** Rejects if a call waits for a signature: nothing that a session does in its layer may ask. */
async function asked(session: OpenedSession, signal: AbortSignal): Promise<never> {
  const call = await session.record.until(() => callsOf(session).find(({ status }) => status === 'waiting') ?? null, signal)
  throw new Error(`The agent asked for a signature: ${JSON.stringify(call.approval)}`)
}

async function undo(session: OpenedSession, step: number): ReturnType<AppCalls['undo']> {
  const target = { kind: 'step', step } as const
  const { plan } = good(await session.previewUndo(target))
  const outcome = await session.undo({ target, plan, anyway: [], choices: [] })
  if (outcome.kind !== 'done') throw new Error(`Not undone: ${JSON.stringify(outcome)}`)
  return outcome.rollback.skipped.map(({ shown }) => shown)
}

const calls: AppCalls = {
  async start({ folder, kind }) {
    await app.trust.decide(folder, true, null)
    const here = good(await app.starter.start(folder, { provider: 'anthropic', model: 'claude-haiku-4-5', baseUrl: url, mode: 'ask' }))
    const { cwd, config } = here.record.state()
    await sessions.discard(here.sessionId)
    const sessionId = SessionId.parse(newId('s'))
    if (kind === 'clone') await cloneLayers(folder).make(sessionId, AbortSignal.timeout(60_000))
    good(await sessions.create({ cwd, ...config, where: { kind: 'beside' }, sessionId }))
    return sessionId
  },
  async ask({ sessionId, text }) {
    passed += 5_000
    const session = await opened(sessionId)
    const before = callsOf(session).length
    const running = session.running()
    if (running === null) throw new Error(session.obstacle()?.what)
    running.submit(text)
    const over = new AbortController()
    await Promise.race([running.idle(), asked(session, over.signal)]).finally(() => over.abort())
    const made = callsOf(session).slice(before)
    if (made.length === 0)
      throw new Error(`The agent made no call: ${JSON.stringify([session.record.state().run, session.snapshot(6).items])}`)
    return made.map(({ step, status, output }) => ({ step, status, output }))
  },
  async fork({ sessionId }) {
    const source = await opened(sessionId)
    const seq = source.record.state().turnEnd?.seq ?? null
    if (seq === null) return null
    const forked = await sessions.fork(source.sessionId, { kind: 'after', seq })
    // The turn may have been interrupted.
    return forked.ok ? forked.value.sessionId : null
  },
  async offer({ sessionId }) {
    const { session, asks } = good(await bringIn(app, SessionId.parse(sessionId), AbortSignal.timeout(100_000)))
    const waiting = callsOf(session).find(({ status }) => status === 'waiting')
    if (!asks || !waiting?.approval) return { bringIn: session.sessionId, request: null }
    const files = waiting.effects.flatMap((effect): Request['files'] => {
      if (effect.kind === 'link') return [{ path: effect.shown, after: effect.after && asLink(effect.after), conflicts: 0 }]
      if (effect.kind === 'delete') return [{ path: effect.shown, after: null, conflicts: 0 }]
      if (effect.kind !== 'write') return []
      return [{ path: effect.shown, after: textOf(store.blobs.get(effect.after)), conflicts: effect.conflict?.regions.length ?? 0 }]
    })
    const { approvalId, hash } = waiting.approval
    await opened(session.sessionId)
    return {
      bringIn: session.sessionId,
      request: { approvalId, hash, step: waiting.step, files, leftOut: waiting.copy?.outcome?.leftOut ?? [] },
    }
  },
  async answer({ sessionId, ...given }) {
    const session = await opened(sessionId)
    const outcome = await session.answer({ ...given, from: 'terminal' })
    if (outcome.kind !== 'accepted') throw new Error(`Not accepted: ${JSON.stringify(outcome)}`)
    await session.running()?.idle()
  },
  undo: async ({ sessionId, step }) => {
    passed += 5_000
    return undo(await opened(sessionId), step)
  },
  async undoBringIn({ sessionId, step }) {
    const { session } = good(await openBringIn(app, SessionId.parse(sessionId)))
    return undo(await opened(session.sessionId), step)
  },
  async moved({ sessionId }) {
    return (await movedFolder(app, SessionId.parse(sessionId))).files.map(({ path }) => path).toSorted()
  },
  async takeOver({ sessionId }) {
    good(await takeOver(app, SessionId.parse(sessionId)))
  },
  async read({ sessionId, paths }) {
    passed += 5_000
    const session = await opened(sessionId)
    const { folder } = store.sessions.get(session.sessionId) ?? never()
    // A killed process may have undone a bring-in without updating the layer.
    good(await openBringIn(app, session.sessionId))
    const place = good(await openPlace(app, store.sessions.get(session.sessionId) ?? never()))
    const seen: Read['seen'][number][] = []
    for (const path of paths) seen.push([path, await shownAt(place, join(folder, path))])
    await place.close()
    const { layers, close } = good(await workspaces.open(folder))
    const { files } = (await layers?.changes(session.sessionId)) ?? never()
    await close()
    return { seen, changes: files.map(({ path, base, own }) => [path, stored(base), stored(own)]) }
  },
  async leave({ sessionIds }) {
    for (const sessionId of sessionIds) {
      watched.get(sessionId)?.abort()
      watched.delete(sessionId)
      await sessions.discard(SessionId.parse(sessionId))
    }
  },
  close: () => app.close(),
}

function never(): never {
  throw new Error('This cannot be.')
}

function cloneLayers(folder: string) {
  const unused = (): never => never()
  return createCloneLayers({
    folder,
    layers: layerPlacesIn(dataFolder).layers,
    missing: () => Promise.resolve(null),
    put: unused,
    get: unused,
    openTree: unused,
  })
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, name, given } = JSON.parse(line) as { readonly id: number; readonly name: keyof AppCalls; readonly given: never }
  void calls[name](given).then(
    (value: unknown) => process.stdout.write(`${JSON.stringify({ id, value: value ?? null })}\n`),
    (error: unknown) =>
      process.stdout.write(`${JSON.stringify({ id, failure: error instanceof Error ? `${error.stack}` : String(error) })}\n`),
  )
}
process.exit(0)
