import { leftInLayerWords } from '../../shared/session/file-change.ts'
import { hash } from 'node:crypto'
import { SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { ParentLink, Trouble } from '../../shared/session/events.ts'
import type { Lease } from '../../shared/session/settings/budget-lease.ts'
import { isFinished } from '../../shared/session/fold/run-state.ts'
import type { Layers } from '../agent/ports/layers.ts'
import { toolError } from '../agent/tool-output.ts'
import type { AgentReport, AgentType, SpawnRequest, Subagents, WaitOptions } from '../agent/ports/subagents.ts'
import { addSpent, granted, type Spent, spentOf } from './subagent-budget.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import { stricterMode } from '../../shared/session/settings/approval-mode.ts'
import { type Children, type ChildrenParts, createChildren } from './children.ts'
import type { ShownNotices } from '../sessions/shown-notices.ts'
import { createNews, type News } from './turn-start-news.ts'
import { actionOf, reportOf } from './subagent-report.ts'
import { createSlots } from './subagent-slots.ts'

export interface SubagentLimits {
  /** Maximum depth. A child of a user's session has depth 1. */
  readonly depth: number
  /** Maximum number of subagents per session, in total. */
  readonly count: number
  /** Maximum number of subagents that work at the same time. */
  readonly reading: number
  readonly writing: number
}

/**
 * `count` stops a model that starts subagents in an endless loop. The number of read-only subagents is a setting (`readingSubagents`).
 */
export const SUBAGENT_LIMITS: Omit<SubagentLimits, 'reading'> = { depth: 1, count: 32, writing: 1 }

export interface SubagentParts extends ChildrenParts {
  types(): readonly AgentType[]
  lease(): Lease
  readonly limits: SubagentLimits
  /** The provider's model that a type's `model` stands for; null if the provider has none. If absent, types have no model of their own. */
  modelNamed?(provider: ProviderId, name: string): string | null
  /** The layers in which subagents write; null if they write in the folder itself. */
  readonly layers?: Layers | null
  /** Agent files of the user and the project that could not be used. */
  readonly troubles?: readonly Trouble[]
  readonly shownNotices?: ShownNotices
}

export interface OwnedSubagents extends Subagents {
  /** The amount spent by all subagents, including what running ones have reserved. */
  spent(): Spent
  /** Whether a subagent is working, so that the session must remain open. */
  isAtWork(): boolean
  /** The events that the session gets when a request begins. */
  readonly news: News
}

const BUSY =
  'The maximum number of subagents is already running (at most one that changes files in the folder itself). Wait for one of them, or close it.'

/** The subagents of one session (see the port). */
export function createSubagents(parts: SubagentParts): OwnedSubagents {
  const slots = createSlots(parts.limits)
  const unchanged = createUnchangedCopies(parts.layers ?? null)
  /** Ends a finished subagent's shell and the programs in its layer. They would otherwise run until its parent is closed. */
  const endPrograms = (id: SessionId): void =>
    void parts
      .sessions()
      .rest(id)
      .catch(() => {})
  const reported = async (session: OpenedSession, report: AgentReport): Promise<AgentReport> => {
    const found = await withChanges(report, children, parts.layers ?? null)
    if (found.changes === null) await unchanged.remove(session)
    if (report.status !== 'running') endPrograms(session.sessionId)
    return found
  }
  const closing = new Set<SessionId>()
  const children = createChildren(parts, (id) => {
    slots.give(id)
    if (!closing.has(id)) endPrograms(id)
  })
  return {
    types: parts.types,
    async spawn(request) {
      const types = parts.types()
      const type = types.find(({ name }) => name === request.agentType)
      if (!type) return failed(`There is no kind of subagent ${request.agentType}.`)
      const id = childId(parts.parent.sessionId, request.toolCallId)
      const link = children.link(id)
      const own = link ? { has: link.ownCopy === true, why: null } : await ownCopyFor(parts, children, type)
      const kind = type.readsOnly ? 'reading' : own.has ? 'copied' : 'writing'
      if (request.patient) await slots.await(id, kind, request.signal)
      else if (!slots.take(id, kind)) return failed(BUSY)
      let begun: Result<null, string> | null = null
      try {
        begun = await atWork(parts, children, id, { ...type, own }, request)
        return begun.ok ? ok(id) : begun
      } finally {
        if (!begun?.ok) slots.give(id)
      }
    },
    async send(agentId, message) {
      const session = await children.open(agentId)
      if (!session.ok) return session
      if (session.value.record.state().run === 'CLOSED') return failed(`${agentId} is closed. Start another subagent.`)
      const link = children.link(agentId)
      if (!slots.take(agentId, link?.readsOnly ? 'reading' : link?.ownCopy ? 'copied' : 'writing')) return failed(BUSY)
      const before = (await reportOf(session.value)).turnsUsed
      const begun = await unchanged.keptFor(session.value, async () => {
        if (link?.ownCopy && isFinished(session.value.record.state())) await parts.layers?.makeIfMissing(session.value.sessionId)
        return begin(session.value, message)
      })
      if (!begun.ok && isFinished(session.value.record.state())) slots.give(agentId)
      if (!begun.ok) return begun
      const report = await reportOf(session.value)
      // What the subagent said before it got the message is no answer to it.
      return ok(report.turnsUsed === before ? { ...report, output: '' } : report)
    },
    async wait(agentId, options) {
      const session = await children.open(agentId)
      if (!session.ok) return session
      await rest(session.value, options)
      return ok(await reported(session.value, await reportOf(session.value)))
    },
    async close(agentId) {
      const session = await children.open(agentId)
      if (!session.ok) return session
      closing.add(session.value.sessionId)
      await session.value.stop()
      const report = await reportOf(session.value)
      await parts.sessions().close(session.value.sessionId)
      slots.give(agentId)
      return ok(await reported(session.value, report))
    },
    ids: children.ids,
    spent: children.spent,
    isAtWork: children.isAtWork,
    news: createNews({ children, store: parts.store, troubles: parts.troubles ?? [], seen: parts.shownNotices }),
  }
}

/**
 * Removes the copies of subagents that have finished without changing anything. With the next message, such a subagent gets a new copy.
 */
function createUnchangedCopies(own: Layers | null) {
  const used = new Set<SessionId>()
  let removed: Promise<void> = Promise.resolve()
  return {
    async remove({ sessionId, record }: OpenedSession): Promise<void> {
      if (!own || used.has(sessionId) || !isFinished(record.state())) return
      removed = own.remove(sessionId)
      await removed
    },
    /** The copy is not removed while `work` runs. */
    async keptFor<T>({ sessionId }: OpenedSession, work: () => Promise<T>): Promise<T> {
      used.add(sessionId)
      try {
        await removed
        return await work()
      } finally {
        used.delete(sessionId)
      }
    },
  }
}

interface OwnCopyChoice {
  readonly has: boolean
  /**
   * The reason, as a sentence, why the subagent has no copy although it may write and the mode would allow a copy. Null if it has a copy
   * or needs none.
   */
  readonly why: string | null
}

/** Whether a new subagent of this type gets its own copy of the folder. In `full` mode, it changes the folder itself. */
async function ownCopyFor({ layers = null }: SubagentParts, children: Children, { readsOnly }: AgentType): Promise<OwnCopyChoice> {
  const mode = (await children.parent())?.record.state().config.mode
  if (readsOnly || mode === 'full' || mode === 'plan') return { has: false, why: null }
  const why = layers === null ? 'Commands do not run in copies here.' : ((await layers.missing()) ?? (await layers.whyUnconfined()))
  return { has: why === null, why }
}

async function withChanges(report: AgentReport, children: Children, own: Layers | null): Promise<AgentReport> {
  const link = children.link(report.agentId)
  if (!own || !link?.ownCopy || report.status === 'running') return report
  const changes = await own.changes(report.agentId)
  if (changes.files.length === 0)
    return { ...report, output: [report.output, ...leftInLayerWords(changes)].filter(Boolean).join('\n'), changes: null }
  return { ...report, changes: { owner: { kind: 'subagent', agentId: report.agentId, agentType: link.agentType }, changes } }
}

/** The id depends on the call, so that the same call finds its subagent again after a restart. */
function childId(parent: SessionId, toolCallId: string): SessionId {
  return SessionId.parse(`s_${hash('sha256', `${parent}\n${toolCallId}`, 'hex').slice(0, 24)}`)
}

/** Starts the subagent's task, or resumes it if a restart interrupted it. Does nothing if the subagent has ended. */
async function atWork(
  parts: SubagentParts,
  children: Children,
  id: SessionId,
  type: ChosenType,
  request: SpawnRequest,
): Promise<Result<null, string>> {
  if (children.link(id)) {
    const known = await children.open(id)
    if (!known.ok) return known
    const { run, ended, turnEnd } = known.value.record.state()
    // The process died after it had created the session, but before it had started the task.
    if (run === 'IDLE' && turnEnd === null) return begin(known.value, taskOf(type, request))
    if (ended === 'interrupted') await known.value.resume()
    return ok(null)
  }
  const made = await make(parts, children, id, type, request)
  // If the turn was stopped in the meantime, nothing may start.
  request.signal.throwIfAborted()
  return made.ok ? begin(made.value, taskOf(type, request)) : made
}

/** The task comes first, because its first line becomes the session's title. */
const taskOf = ({ prompt }: AgentType, { task }: SpawnRequest): string => `${task}\n\n${prompt}`

type ChosenType = AgentType & { readonly own: OwnCopyChoice }

async function make(
  parts: SubagentParts,
  children: Children,
  id: SessionId,
  type: ChosenType,
  { toolCallId, signal, model, workingDir, lease: asked }: SpawnRequest,
): Promise<Result<OpenedSession, string>> {
  const { parent, limits } = parts
  const own = await children.parent()
  if (!own) return failed('The session is closing.')
  const depth = (parent.parent?.depth ?? 0) + 1
  if (depth > limits.depth) return failed('A subagent cannot start subagents.')
  if (children.ids().length >= limits.count) return failed(`This session has reached its limit of ${limits.count} subagents.`)
  const lease = granted(asked, parts.lease(), addSpent(spentOf(own.record.state()), children.spent()))
  if (!lease) return failed('The budget is used up: nothing is left for a subagent.')
  const { config } = own.record.state()
  const { name: agentType, readsOnly, tools, excludedTools, answer } = type
  const hasOwnCopy = type.own.has
  const folder = workingDir ?? parent.parent?.workingDir
  const link: ParentLink = {
    sessionId: parent.sessionId,
    toolCallId,
    agentType,
    depth,
    readsOnly,
    ...(tools && { tools }),
    ...(excludedTools && { excludedTools }),
    ...(folder !== undefined && { workingDir: folder }),
    ...(answer && { answer }),
    ...(type.own.why !== null && { noOwnCopy: type.own.why }),
    ...(hasOwnCopy && { ownCopy: true }),
    lease,
  }
  if (hasOwnCopy) {
    const made = await parts.layers?.make(id, signal).then(
      () => null,
      (error: unknown) => toolError(error),
    )
    if (made) return failed(`The subagent was not started, because the project could not be copied for it. ${made}`)
  }
  children.add(id, link)
  const mode = readsOnly ? 'plan' : stricterMode(type.mode ?? config.mode, config.mode)
  const ofType = type.model === undefined ? null : parts.modelNamed?.(config.provider, type.model)
  // A subagent works where its parent does, unless it has a layer of its own.
  const { where: _, ...inherited } = config
  const given = { ...inherited, model: model ?? ofType ?? config.model, mode }
  const created = await parts.sessions().create({ cwd: parent.folder, ...given, sessionId: id, parent: link })
  if (created.ok) return children.open(id)
  await parts.layers?.remove(id)
  children.remove(id)
  return failed(created.failure.what)
}

function begin(session: OpenedSession, text: string): Result<null, string> {
  const running = session.running()
  if (!running) return failed('The subagent runs in another process.')
  const done = running.submit(text)
  return done.ok ? ok(null) : failed(done.trouble.what)
}

/** Interval in ms at which a subagent in another process is checked. */
const LOOK_EVERY_MS = 1000

async function rest(session: OpenedSession, { timeoutMs, signal, onAction }: WaitOptions): Promise<void> {
  const { record } = session
  const subscription = record.subscribe(({ event }) => {
    const words = actionOf(event)
    if (words !== null) onAction?.(words)
  })
  // The process that runs the subagent may die before it records the subagent's end.
  const looking = setInterval(() => void session.attend().catch(() => {}), LOOK_EVERY_MS)
  const enough = timeoutMs === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    await record.until(() => (isFinished(record.state()) ? true : null), enough)
  } catch (error) {
    signal.throwIfAborted()
    if (!enough.aborted) throw error
  } finally {
    clearInterval(looking)
    subscription.dispose()
  }
}
