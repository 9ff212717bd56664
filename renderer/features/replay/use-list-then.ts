import { useLayoutEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { AgentHistory } from '../../../shared/api/replay.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import { needOfCalls } from '../../../shared/session/fold/session-need.ts'
import type { Desk } from '../../state/desk.ts'
import { isBusy } from '../../state/stores/session-list.ts'
import type { Player } from './use-replay.ts'

const NO_AGENTS: readonly AgentHistory[] = []

/**
 * The session list at the current stop: the replayed session and the subagents that had started before that moment, each in its state at
 * that moment.
 */
export function useListThen(desk: Desk, { outline, at: current, store }: Player): Desk['list'] {
  const agents = outline?.agents ?? NO_AGENTS
  const stop = outline?.stops[current]
  const then = useStore(store, ({ session }) => session)
  const [list] = useState(() => createStore(() => desk.list.getState()))
  const now = useStore(desk.list)
  useLayoutEffect(() => {
    const sessions = new Map(now.sessions)
    for (const { sessionId, moments } of agents) {
      const session = now.sessions.get(sessionId)
      const moment = moments.findLast(({ seq }) => stop !== undefined && seq <= stop.seq)
      if (!session || !stop || !moment) {
        sessions.delete(sessionId)
        continue
      }
      const { seq: _seq, at, ...facts } = moment
      sessions.set(sessionId, { ...session, ...facts, running: true, updatedAt: isBusy({ ...session, ...facts }) ? stop.at : at })
    }
    const root = then && sessions.get(then.sessionId)
    if (root) {
      const { run, ended } = then
      sessions.set(root.sessionId, {
        ...root,
        run,
        ended,
        need: needOfCalls(pendingCalls(then)),
        running: true,
        updatedAt: stop?.at ?? root.updatedAt,
      })
    }
    list.setState({ ...now, sessions })
  }, [list, now, agents, stop, then])
  return list
}
