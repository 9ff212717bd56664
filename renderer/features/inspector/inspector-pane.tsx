import { PanelRight } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showTab } from '../../state/commands/actions.ts'
import { fold } from '../../state/commands/palette-commands.ts'
import { useDesk, useSession, useView } from '../../state/desk-context.ts'
import type { InspectorTab } from '../../state/stores/view-store.ts'
import { Button } from '../../ui/controls/button.tsx'
import { prepareDiffs } from '../../ui/diff/diff-view.tsx'
import { Pane, PaneHead } from '../../ui/frame/panes/pane.tsx'
import { type Tab, TabPanel, Tabs } from '../../ui/frame/tabs.tsx'
import { ErrorBoundary } from '../../ui/notices/error-boundary.tsx'
import { ContextTab } from './context-tab.tsx'
import { progressOf as planProgressOf } from '../../../shared/workflow/workflow.ts'
import { PlanTab } from './plan-tab.tsx'
import { ChangesTab } from './changes-tab.tsx'
import { TerminalTab } from './terminal-tab.tsx'
import { useTabNews } from './use-tab-news.ts'
import { useStore } from 'zustand'
import type { Todo } from '../../../shared/session/todo.ts'
import { familyOf, rootOf } from '../../state/views/session-families.ts'

/** The tabs of the inspector. */
export const INSPECTOR_TABS: readonly Tab<InspectorTab>[] = [
  { id: 'changes', label: 'Changes', keys: 'Mod+1' },
  { id: 'terminal', label: 'Terminal', keys: 'Mod+2' },
  { id: 'agents', label: 'Agents', keys: 'Mod+3' },
  { id: 'plan', label: 'Plan', keys: 'Mod+4' },
  { id: 'context', label: 'Context', keys: 'Mod+5' },
]

export interface InspectorPaneProps {
  /** Renders the Agents tab. Passed in, because the tab belongs to another feature. */
  readonly agentsOf: (sessionId: SessionId) => ReactNode
  /** Renders the files of the waiting request. Passed in, because requests belong to another feature. */
  readonly waitingOf: (sessionId: SessionId) => ReactNode
}

/** The pane beside the ledger: changes, commands, agents, plan and context of the session. */
export function InspectorPane({ agentsOf, waitingOf }: InspectorPaneProps): ReactNode {
  const sessionId = useView((view) => view.sessionId)
  return sessionId && <Inspected key={sessionId} sessionId={sessionId} agentsOf={agentsOf} waitingOf={waitingOf} />
}

function Inspected({ sessionId, agentsOf, waitingOf }: InspectorPaneProps & { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const tab = useView((view) => view.tab)
  const counts = useInspectorCounts(sessionId)
  const news = useTabNews(sessionId, tab, counts)
  useEffect(prepareDiffs, [])
  return (
    <Pane kind="inspector" label="Inspector">
      <PaneHead
        end={
          <Button
            variant="quiet"
            only
            icon={PanelRight}
            label="Fold the inspector"
            keys="Mod+Alt+B"
            onPress={() => fold(desk, 'inspector')}
          />
        }
      >
        <Tabs
          label="Inspector"
          tabs={INSPECTOR_TABS.map((one) => ({ ...one, count: counts[one.id], isNews: news.has(one.id) }))}
          selected={tab}
          onSelect={(id) => showTab(desk, id)}
          panelId="inspector-panel"
        />
      </PaneHead>
      <TabPanel id="inspector-panel" tab={tab}>
        <ErrorBoundary key={tab} what="This tab">
          {tab === 'changes' && waitingOf(sessionId)}
          {tab === 'agents' ? agentsOf(sessionId) : <TabOf tab={tab} sessionId={sessionId} />}
        </ErrorBoundary>
      </TabPanel>
    </Pane>
  )
}

function TabOf({ tab, sessionId }: { readonly tab: Exclude<InspectorTab, 'agents'>; readonly sessionId: SessionId }): ReactNode {
  switch (tab) {
    case 'changes':
      return <ChangesTab sessionId={sessionId} />
    case 'terminal':
      return <TerminalTab sessionId={sessionId} />
    case 'plan':
      return <PlanTab sessionId={sessionId} />
    case 'context':
      return <ContextTab sessionId={sessionId} />
    default:
      return assertNever(tab, 'tab')
  }
}

const NONE: readonly Todo[] = []

/** The counts beside the tab names: number of agents, progress of the plan. */
function useInspectorCounts(sessionId: SessionId): Readonly<Partial<Record<InspectorTab, string>>> {
  const agents = useStore(useDesk().list, ({ sessions }) => familyOf(sessions, rootOf(sessions, sessionId)).length)
  const todos = useSession(sessionId, (session) => session.todos, NONE)
  const workflow = useSession(sessionId, (session) => session.workflow, null)
  const steps = workflow?.approved && workflow.steps.length > 0 ? planProgressOf(workflow) : null
  return {
    ...(agents > 0 ? { agents: String(agents) } : {}),
    ...(steps ? { plan: `${steps.done}/${steps.of}` } : todos.length > 0 ? { plan: progressOf(todos) } : {}),
  }
}

/** Returns the progress as "1/4". */
function progressOf(todos: readonly Todo[]): string {
  return `${todos.filter(({ status }) => status === 'completed').length}/${todos.length}`
}
