import { parseAddress, placeName } from '../../../shared/places/address.ts'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from './connection.ts'
import type { LeftCommands } from './app-stores.ts'
import { FrameBatch } from './frame-batch.ts'
import type { CommandTerminals } from './terminals/command-terminals.ts'

export interface SessionList {
  /** False until main has sent the sessions. Until then, an empty list does not mean that there are no sessions. */
  readonly known: boolean
  readonly sessions: ReadonlyMap<SessionId, SessionSummary>
  /**
   * A snapshot of `sessions`, taken when a session last changed its place or its group in a list. The steps of a running session do not
   * replace this snapshot, so the sessions are not grouped and sorted again for each step.
   */
  readonly arranged: SessionList['sessions']
  /** Why stored sessions are missing from `sessions`. Null if none are missing. */
  readonly unreadable: Trouble | null
}

/**
 * All stored sessions with their live state, whichever process runs them. A session also needs the user if one of its commands waits for
 * input or kept running after Countersign was killed. If the session already has another need, that need is shown.
 */
export function followSessionList(
  connection: Connection,
  terminals: StoreApi<CommandTerminals>,
  left: StoreApi<LeftCommands>,
): { readonly store: StoreApi<SessionList> } & Disposable {
  const store = createStore<SessionList>(() => ({ known: false, sessions: new Map(), arranged: new Map(), unreadable: null }))
  let received: SessionList['sessions'] = new Map()
  const show = (): void => {
    const sessions = new Map(received)
    const needs = (sessionId: SessionId | null, need: string): void => {
      const session = sessionId === null ? undefined : received.get(sessionId)
      if (session?.need === null) sessions.set(session.sessionId, { ...session, need })
    }
    for (const { sessionId } of left.getState().offered) needs(sessionId, STILL_RUNS)
    for (const sessionId of terminals.getState().waiting) needs(sessionId, WAITS_FOR_INPUT)
    store.setState(({ arranged }) => ({ known: true, sessions, arranged: isSameArrangement(arranged, sessions) ? arranged : sessions }))
  }
  // A running turn changes its session many times per frame, and each change would render the complete list.
  const changes = new FrameBatch<SessionSummary>((changed) => {
    received = new Map([...received, ...changed.map((one) => [one.sessionId, one] as const)])
    show()
  })
  const subscription = connection.keep(async (client, signal) => {
    for await (const item of client.sessions.list({}, signal)) {
      if (item.kind === 'changed') {
        changes.add([item.session])
        continue
      }
      if (item.kind === 'removed') {
        changes.flush()
        received = new Map([...received].filter(([sessionId]) => sessionId !== item.sessionId))
        show()
        continue
      }
      changes.drop()
      const { unreadable } = item
      // Sessions that were listed before the history became unreadable stay visible.
      received = new Map([...(unreadable ? received : []), ...item.sessions.map((one) => [one.sessionId, one] as const)])
      store.setState({ unreadable })
      show()
    }
    // The stream ended because reading failed. An error restarts the subscription after a pause.
    if (!signal.aborted && store.getState().unreadable) throw new Error('The stored sessions could not be read.')
  })
  const stop = terminals.subscribe((now, before) => {
    if (store.getState().known && !isSame(now.waiting, before.waiting)) show()
  })
  const stopLeft = left.subscribe(() => {
    if (store.getState().known) show()
  })
  return {
    store,
    dispose() {
      stop()
      stopLeft()
      changes.drop()
      subscription.dispose()
    },
  }
}

const WAITS_FOR_INPUT = 'A command waits for input'
/** Why a session needs the user: one of its commands kept running after Countersign was killed. */
export const STILL_RUNS = 'A command is still running'

function isSameArrangement(before: SessionList['sessions'], now: SessionList['sessions']): boolean {
  return before.size === now.size && now.values().every((session) => keepsPlace(before.get(session.sessionId), session))
}

/** Whether a session keeps its place in the order of `inListOrder`, and its group. */
function keepsPlace(before: SessionSummary | undefined, now: SessionSummary): boolean {
  if (before === now) return true
  if (!before || PLACING.some((fact) => before[fact] !== now[fact])) return false
  return before.cursor === now.cursor || (isBusy(now) && now.need === null)
}

const PLACING = ['folder', 'run', 'need', 'ended', 'turnEnd', 'asks', 'startedAt'] as const

const isSame = (a: ReadonlySet<SessionId>, b: ReadonlySet<SessionId>): boolean => a.size === b.size && [...a].every((one) => b.has(one))

export interface ProjectGroup {
  readonly folder: string
  readonly name: string
  readonly sessions: readonly SessionSummary[]
}

/**
 * The order of sessions in lists. Running sessions come first, the newest start first, so that rows do not move while the sessions work.
 * The other sessions follow, the newest event first.
 */
export function inListOrder(sessions: Iterable<SessionSummary>): readonly SessionSummary[] {
  return [...sessions].sort(byRest)
}

/** Groups sessions by project, without subagents, in list order. Projects are ordered by their first session. */
export function groupByProject(sessions: Iterable<SessionSummary>): readonly ProjectGroup[] {
  const own = [...sessions].filter(({ parent }) => parent === null)
  const groups = Map.groupBy(inListOrder(own), (session) => session.folder)
  return [...groups].map(([folder, list]) => ({ folder, name: nameOf(folder), sessions: list }))
}

function byRest(a: SessionSummary, b: SessionSummary): number {
  const aRuns = isBusy(a)
  const bRuns = isBusy(b)
  if (aRuns !== bRuns) return aRuns ? -1 : 1
  return aRuns ? b.startedAt - a.startedAt : b.cursor - a.cursor
}

/** Whether a turn is running, in any process. */
export function isBusy({ run }: SessionSummary): boolean {
  return run === 'PROCESSING' || run === 'AWAITING_INPUT'
}

/** The last part of a path with slashes or backslashes, and the machine of a folder that is not on this computer. */
export function nameOf(address: string): string {
  const { place, folder } = parseAddress(address)
  const name = folder.split(/[\\/]/).findLast((part) => part !== '') ?? folder
  return place === null ? name : `${name} on ${placeName(place)}`
}
