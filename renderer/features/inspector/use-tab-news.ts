import { useLayoutEffect, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { runsCommand } from '../../../shared/tools/catalogue.ts'
import { useSession } from '../../state/desk-context.ts'
import type { InspectorTab } from '../../state/stores/view-store.ts'

/** The newest thing in each tab, as text. The tab has news if it differs from what was there when the tab was last shown. */
type Newest = Readonly<Partial<Record<InspectorTab, string>>>

/** The tabs of a session with something that came since they were last shown. What was there when the session was opened is not new. */
export function useTabNews(sessionId: SessionId, selected: InspectorTab, counts: Newest): ReadonlySet<InspectorTab> {
  const isLoaded = useSession(sessionId, () => true, false)
  const changes = useSession(sessionId, newestChange, '')
  const terminal = useSession(sessionId, newestCommand, '')
  const newest: Newest = { changes, terminal, agents: counts.agents ?? '', plan: counts.plan ?? '' }
  const [seen, setSeen] = useState<Newest | null>(null)
  const shown = newest[selected]
  useLayoutEffect(() => {
    if (!isLoaded) return
    setSeen((before) => (before === null ? newest : { ...before, [selected]: shown }))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only the shown tab counts as seen; the others are read once, at the beginning
  }, [isLoaded, selected, shown])
  const tabs = Object.keys(newest) as (keyof Newest)[]
  return new Set(seen === null ? [] : tabs.filter((tab) => tab !== selected && newest[tab] !== '' && newest[tab] !== seen[tab]))
}

function newestChange({ items, rollbacks }: SessionState): string {
  const call = items.findLast((item): item is CallItem => item.kind === 'call' && item.files.length > 0)
  return call ? `${call.toolCallId} ${rollbacks.length}` : ''
}

function newestCommand({ items }: SessionState): string {
  const call = items.findLast((item): item is CallItem => item.kind === 'call' && runsCommand(item) && item.startedAt !== null)
  return call?.toolCallId ?? ''
}
