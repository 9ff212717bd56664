import { mkdtemp, mkdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createRecord } from '../../../main/agent/record.ts'
import { createToolRegistry } from '../../../main/agent/registry.ts'
import { createRequestContexts } from '../../../main/agent/request-context.ts'
import type { LoopParts, TurnLimits } from '../../../main/agent/loop.ts'
import type { Model } from '../../../main/agent/ports/model.ts'
import type { Provider } from '../../../main/agent/ports/provider.ts'
import type { Tool } from '../../../main/agent/ports/tool.ts'
import { createSession, type Session, takeOverSession } from '../../../main/agent/session.ts'
import { effectHash } from '../../../main/approval/effect-hash.ts'
import { createPlace } from '../../../main/approval/place.ts'
import { createPolicy } from '../../../main/approval/policy.ts'
import { captureFiles } from '../../../main/changes/capture.ts'
import { countChangedLines } from '../../../main/changes/line-counts.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local.ts'
import { systemClock } from '../../../main/providers/system-clock.ts'
import { openStore } from '../../../main/store/open-store.ts'
import type { Store } from '../../../main/store/store.ts'
import { createTools } from '../../../main/tools/create-tools.ts'
import { truncateToolOutput } from '../../../main/tools/truncation/truncate.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { ok } from '../../../shared/lib/result.ts'
import type { DurableEvent, SessionConfigured } from '../../../shared/session/events.ts'
import { emptySession, foldAll } from '../../../shared/session/fold.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'

export interface RigOptions {
  readonly mode?: SessionConfigured['mode']
  readonly limits?: Partial<TurnLimits>
  readonly tools?: readonly Tool[]
  readonly systemPrompt?: () => Promise<string>
  readonly contextWindow?: number
  readonly cost?: Model['cost']
  readonly request?: LoopParts['request']
  /** Nobody runs the session yet: what stands in its log was left behind. */
  readonly isLeftBehind?: boolean
}

/** A session over real parts: a folder, an SQLite file, the tools, the policy. Only the model is scripted. */
export interface Rig {
  readonly folder: string
  /** The data folder. */
  readonly data: string
  readonly store: Store
  readonly sessionId: SessionId
  readonly session: Session
  /** The parts anew over the same log, as the next process has them. */
  parts(): LoopParts
  takeOver(): Promise<Session>
  events(): readonly DurableEvent[]
  kinds(): readonly DurableEvent['kind'][]
  /** The fold of the whole log. */
  replay(): SessionState
}

export async function temporaryFolder(name: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `countersign-${name}-`)))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

export async function openRig(provider: Provider, options: RigOptions = {}): Promise<Rig> {
  const base = await temporaryFolder('agent')
  const folder = join(base, 'workspace')
  await mkdir(folder)
  const data = join(base, 'data')
  const opened = await openStore(data)
  if (!opened.ok) throw new Error(opened.failure.what)
  const store = opened.value
  onTestFinished(() => store.close())
  const config = { provider: 'anthropic', model: 'scripted', mode: options.mode ?? 'ask', effort: null, baseUrl: null } as const
  const sessionId = store.sessions.create({ cwd: folder, ...config })
  const workspace = openWorkspace(folder, store)
  const parts = (): LoopParts => loopParts({ store, sessionId, workspace, provider, options })
  const running = (session: Session): Session => {
    onTestFinished(() => session.suspend())
    return session
  }
  const session = running(createSession(parts()))
  if (options.isLeftBehind) await session.suspend()
  const events = (): readonly DurableEvent[] => [...store.log(sessionId).read()].map(({ event }) => event)
  return {
    folder,
    data,
    store,
    sessionId,
    session,
    parts,
    takeOver: async () => running(await takeOverSession(parts())),
    events,
    kinds: () => events().map(({ kind }) => kind),
    replay: () => foldAll(emptySession(sessionId), store.log(sessionId).read()),
  }
}

type Workspace = ReturnType<typeof openWorkspace>

function openWorkspace(folder: string, store: Store) {
  const env = createLocalExecutionEnvironment(folder)
  onTestFinished(() => env.cleanup())
  let last: Promise<unknown> = Promise.resolve()
  return {
    env,
    blobs: store.blobs,
    clock: systemClock,
    policy: createPolicy({ root: folder, home: null }),
    place: createPlace({ env, root: folder, home: null }),
    effectHash,
    openSpool: () => store.blobs.openSpool(),
    capture: (effects: Parameters<typeof captureFiles>[1]) => captureFiles({ env, blobs: store.blobs }, effects),
    truncate: (toolName: string, output: string) => truncateToolOutput(output, toolName),
    terminal: () => null,
    exclusively<T>(work: () => Promise<T>): Promise<T> {
      const mine = last.then(work)
      last = mine.catch(() => {})
      return mine
    },
  }
}

interface Given {
  readonly store: Store
  readonly sessionId: SessionId
  readonly workspace: Workspace
  readonly provider: Provider
  readonly options: RigOptions
}

function loopParts({ store, sessionId, workspace, provider, options }: Given): LoopParts {
  const record = createRecord({ sessionId, log: store.log(sessionId), clock: systemClock })
  const tools = options.tools ?? createTools({ isDestructive: (command) => /\brm\b/u.test(command), countLines: countChangedLines })
  const registry = createToolRegistry(tools)
  const model: Model = {
    provider,
    contextWindow: options.contextWindow ?? null,
    systemPrompt: options.systemPrompt ?? (() => Promise.resolve('You are a test.')),
    cost: options.cost ?? (() => null),
    trouble: ({ code, message }) => ({ code, what: message, kept: 'Everything.', todo: 'Try again.' }),
  }
  return {
    record,
    clock: systemClock,
    contexts: createRequestContexts(record, store.blobs),
    modelOf: () => Promise.resolve(ok(model)),
    request: options.request ?? ((of, request, { signal }) => of.stream(request, signal)),
    workshop: workspace,
    toolboxOf: () => ({ registry, limits: { defaultCommandMs: 10_000, maxCommandMs: 600_000 }, parallel: true }),
    limits: () => ({ maxRounds: 0, maxTurns: 0, detectLoops: true, ...options.limits }),
  }
}

/** The calls that wait for a signature, as soon as there are `count` of them. */
export function waiting(session: Session, count = 1): Promise<readonly CallItem[]> {
  return session.record.until(() => {
    const calls = session.state().items.filter((item): item is CallItem => item.kind === 'call' && item.status === 'waiting')
    return calls.length >= count ? calls : null
  }, new AbortController().signal)
}

/** Signs or refuses what waits, as a person at a terminal would. */
export function answerCall(session: Session, call: CallItem | undefined, note?: string | null) {
  if (!call?.approval) throw new Error('Nothing waits.')
  const answer = note === undefined ? ({ kind: 'sign' } as const) : ({ kind: 'refuse', note } as const)
  return session.answer({ approvalId: call.approval.approvalId, hash: call.approval.hash, answer, from: 'terminal' })
}
