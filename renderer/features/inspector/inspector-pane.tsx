import { PanelRight } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { showTab } from '../../state/actions.ts'
import { fold } from '../../state/commands.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import type { InspectorTab } from '../../state/view-store.ts'
import { Button } from '../../ui/controls/button.tsx'
import { prepareDiffs } from '../../ui/diff/diff-view.tsx'
import { PaneHead } from '../../ui/frame/pane-head.tsx'
import { Pane } from '../../ui/frame/pane.tsx'
import { TabPanel } from '../../ui/frame/tab-panel.tsx'
import { type Tab, Tabs } from '../../ui/frame/tabs.tsx'
import { ChangesTab } from './changes-tab.tsx'
import { TerminalTab } from './terminal-tab.tsx'

/** What can be inspected of a session in this version. */
export const INSPECTOR_TABS: readonly Tab<InspectorTab>[] = [
  { id: 'changes', label: 'Changes', keys: 'Mod+1' },
  { id: 'terminal', label: 'Terminal', keys: 'Mod+2' },
]

/** Beside the ledger: what the session has changed and what it has run. */
export function InspectorPane(): ReactNode {
  const desk = useDesk()
  const { tab, sessionId } = useView(({ tab, sessionId }) => ({ tab, sessionId }))
  useEffect(() => (sessionId === null ? undefined : prepareDiffs()), [sessionId])
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
        <Tabs label="Inspector" tabs={INSPECTOR_TABS} selected={tab} onSelect={(id) => showTab(desk, id)} panelId="inspector-panel" />
      </PaneHead>
      <TabPanel id="inspector-panel" tab={tab}>
        {sessionId !== null &&
          (tab === 'changes' ? (
            <ChangesTab key={sessionId} sessionId={sessionId} />
          ) : (
            <TerminalTab key={sessionId} sessionId={sessionId} />
          ))}
      </TabPanel>
    </Pane>
  )
}
