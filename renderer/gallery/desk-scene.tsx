import { AtSign, Ellipsis, History, PanelLeft, PanelRight, Paperclip, Plus, Settings2, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { Menu } from '../ui/controls/menu.tsx'
import { Select } from '../ui/controls/select/select.tsx'
import { DeskFrame } from '../ui/frame/desk-frame.tsx'
import { ListRow } from '../ui/frame/list-row.tsx'
import { Pane, PaneHead, PaneScroll } from '../ui/frame/panes/pane.tsx'
import { StatusItem, StatusStrip } from '../ui/frame/status-strip.tsx'
import { TabPanel, Tabs } from '../ui/frame/tabs.tsx'
import { ComposerFrame } from '../ui/ledger/composer-frame.tsx'
import { Dot, StopSquare } from '../ui/marks/dot.tsx'
import { Gauge } from '../ui/marks/gauge.tsx'
import { Icon } from '../ui/marks/icon.tsx'
import { Kbd } from '../ui/marks/kbd.tsx'
import { EmptyState } from '../ui/notices/empty-state.tsx'
import styles from './gallery.module.css'
import { DeskLedger } from './desk-ledger.tsx'
import { DeskTray } from './desk-tray.tsx'

const nothing = (): void => {}
const tabs = [
  { id: 'changes', label: 'Changes', count: '2', keys: 'Mod+1' },
  { id: 'terminal', label: 'Terminal', keys: 'Mod+2' },
  { id: 'agents', label: 'Agents', keys: 'Mod+3' },
  { id: 'plan', label: 'Plan', count: '1/4', keys: 'Mod+4' },
  { id: 'context', label: 'Context', keys: 'Mod+5' },
] as const
type TabId = (typeof tabs)[number]['id']

/** The components put together as a desk, for comparison with the pictures of the design. */
export function DeskScene({ state }: { readonly state: string }): ReactNode {
  const [tab, setTab] = useState<TabId>('terminal')
  const [left, setLeft] = useState({ shown: true, drawn: false, width: null as number | null })
  const [right, setRight] = useState({ shown: true, drawn: false, width: null as number | null })
  const openTab = (id: TabId): void => {
    setTab(id)
    setRight((side) => ({ ...side, drawn: true }))
  }
  return (
    <div className={styles.deskHost}>
      <DeskFrame
        sessions={{
          ...left,
          pane: <SessionsPane onFold={() => setLeft((side) => ({ ...side, shown: !side.shown }))} />,
          folded: (
            <>
              <Button
                variant="quiet"
                only
                icon={PanelLeft}
                label="Sessions"
                keys="Mod+B"
                onPress={() => setLeft({ ...left, shown: true, drawn: !left.drawn })}
              />
              <Button variant="quiet" only icon={Plus} label="New session" keys="Mod+N" />
              <Button variant="quiet" only icon={History} label="History" keys="Mod+H" />
            </>
          ),
          onUndraw: () => setLeft((side) => ({ ...side, drawn: false })),
          onWidth: (width) => setLeft((side) => ({ ...side, width })),
        }}
        inspector={{
          ...right,
          pane: (
            <InspectorPane tab={tab} onTab={setTab} onFold={() => setRight((side) => ({ ...side, shown: !side.shown, drawn: false }))} />
          ),
          folded: (
            <>
              <Button
                variant="quiet"
                only
                icon={PanelRight}
                label="Inspector"
                keys="Mod+Alt+B"
                onPress={() => setRight({ ...right, shown: true, drawn: !right.drawn })}
              />
              <Tabs label="Inspector, folded" direction="down" tabs={tabs} selected={tab} onSelect={openTab} panelId="desk-panel" echo />
            </>
          ),
          onUndraw: () => setRight((side) => ({ ...side, drawn: false })),
          onWidth: (width) => setRight((side) => ({ ...side, width })),
        }}
        status={<Status />}
      >
        <WorkPane approving={state === 'approve-edit'} />
      </DeskFrame>
    </div>
  )
}

function SessionsPane({ onFold }: { readonly onFold: () => void }): ReactNode {
  return (
    <Pane kind="sessions" label="Sessions">
      <PaneHead
        titleBar
        end={
          <>
            <Button variant="quiet" only icon={PanelLeft} label="Fold sessions" keys="Mod+B" onPress={onFold} />
            <Button variant="quiet" only icon={Plus} label="New session" keys="Mod+N" />
          </>
        }
      />
      <PaneScroll label="All sessions" padded>
        <h3 className={styles.group}>
          <span className="needs">Needs you</span>
          <Kbd keys="Mod+J" className="push" />
        </h3>
        <ListRow lead={<Dot state="needs" />} title="PDF worker to Node 22" below="Question, asked 18 minutes ago" onPress={nothing} />
        <h3 className={styles.group}>
          invoicing <span className="mono">main</span>
        </h3>
        <ListRow lead={<Dot state="running" />} title="March invoices land in February" end="9" selected onPress={nothing} />
        <ListRow lead={<Dot state="running" />} title="Dunning letters in Polish" end="41" onPress={nothing} />
        <ListRow lead={<Dot state="unread" />} title="VAT on credit notes" end="2 h" unread onPress={nothing} />
        <ListRow title="Drop moment from reports" end="Tue" onPress={nothing} />
        <ListRow lead={<Dot state="failed" />} title="Photos by EXIF date" end="12 Nov" onPress={nothing} />
      </PaneScroll>
      <footer className={styles.foot}>
        <Button variant="quiet" block icon={History} keys="Mod+H">
          History
        </Button>
        <Button variant="quiet" block icon={Settings2} keys="Mod+,">
          Settings
        </Button>
      </footer>
    </Pane>
  )
}

function WorkPane({ approving }: { readonly approving: boolean }): ReactNode {
  const [text, setText] = useState('')
  return (
    <Pane kind="work" label="March invoices land in February">
      <PaneHead
        rank={1}
        title="March invoices land in February"
        end={
          <>
            <Select
              label="Mode"
              prefix="Mode"
              selected="ask"
              options={[
                { id: 'ask', label: 'ask' },
                { id: 'plan', label: 'plan' },
              ]}
              onSelect={nothing}
            />
            <Select label="Model" selected="sonnet" options={[{ id: 'sonnet', label: 'claude-sonnet-4-5' }]} onSelect={nothing} />
            <Button small lead={<StopSquare />} busyWord="Stopping">
              Stop
            </Button>
            <Menu
              trigger={{ variant: 'quiet', only: true, icon: Ellipsis, label: 'More' }}
              label="Session"
              align="end"
              entries={[{ kind: 'item', id: 'rename', label: 'Rename session', onSelect: nothing }]}
            />
          </>
        }
      />
      <PaneScroll label="Ledger">
        <DeskLedger live={!approving} />
      </PaneScroll>
      {approving && <DeskTray />}
      <ComposerFrame
        tools={
          <>
            <Button variant="quiet" only icon={Paperclip} label="Attach a file" />
            <Button variant="quiet" only icon={AtSign} label="Mention a file" />
            <Select
              label="Effort"
              prefix="Effort"
              selected="medium"
              options={[
                { id: 'medium', label: 'medium' },
                { id: 'high', label: 'high' },
              ]}
              onSelect={nothing}
            />
            <span className="meta push">$0.06 · cache 4:12</span>
            <Button variant="quiet" small keys="Alt+Enter">
              Queue
            </Button>
            <Button small keys="Enter">
              Steer
            </Button>
          </>
        }
      >
        <textarea
          aria-label="Message"
          rows={2}
          // The placeholder is the same as in the composer of a running session.
          placeholder="Steer the agent, or @ a file"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </ComposerFrame>
    </Pane>
  )
}

function InspectorPane({
  tab,
  onTab,
  onFold,
}: {
  readonly tab: TabId
  readonly onTab: (id: TabId) => void
  readonly onFold: () => void
}): ReactNode {
  return (
    <Pane kind="inspector" label="Inspector">
      <PaneHead end={<Button variant="quiet" only icon={PanelRight} label="Fold the inspector" keys="Mod+Alt+B" onPress={onFold} />}>
        <Tabs label="Inspector" tabs={tabs} selected={tab} onSelect={onTab} panelId="desk-panel" />
      </PaneHead>
      <TabPanel id="desk-panel" tab={tab}>
        <PaneHead level="bar" title="npx jest" aside="~/code/invoicing" end="exit 1, 3.1 s" />
        <EmptyState>Nothing here yet. What the agent runs appears here while it runs.</EmptyState>
      </TabPanel>
    </Pane>
  )
}

function Status(): ReactNode {
  return (
    <StatusStrip
      start={
        <>
          <StatusItem>
            <Icon glyph={ShieldCheck} size={12} />
            Sandbox on
          </StatusItem>
          <StatusItem optional>2 hosts allowed</StatusItem>
          <StatusItem>
            Waiting for npx jest 0:07 of 2:00 <Gauge label="Time limit of npx jest" ratio={0.06} />
          </StatusItem>
        </>
      }
      end={
        <>
          <StatusItem>
            Context 27 % <Gauge label="Context" ratio={0.27} ticks={[0.8]} />
          </StatusItem>
          <StatusItem>$0.26 of $5.00</StatusItem>
        </>
      }
    />
  )
}
