import { AtSign, ChevronRight, Ellipsis, History, PanelLeft, PanelRight, Paperclip, Plus, Settings2, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { Menu } from '../ui/controls/menu.tsx'
import { Select } from '../ui/controls/select.tsx'
import { SignButton } from '../ui/controls/sign-button.tsx'
import { DeskFrame } from '../ui/frame/desk-frame.tsx'
import { ListRow } from '../ui/frame/list-row.tsx'
import { PaneHead } from '../ui/frame/pane-head.tsx'
import { PaneScroll } from '../ui/frame/pane-scroll.tsx'
import { Pane } from '../ui/frame/pane.tsx'
import { StatusItem, StatusStrip } from '../ui/frame/status-strip.tsx'
import { TabPanel } from '../ui/frame/tab-panel.tsx'
import { Tabs } from '../ui/frame/tabs.tsx'
import { ComposerFrame } from '../ui/ledger/composer-frame.tsx'
import { EntryRow } from '../ui/ledger/entry-row.tsx'
import { FileRow } from '../ui/ledger/file-row.tsx'
import { HunkBar } from '../ui/ledger/hunk-bar.tsx'
import { Ledger } from '../ui/ledger/ledger.tsx'
import { Quote } from '../ui/ledger/quote.tsx'
import { TrayFrame } from '../ui/ledger/tray-frame.tsx'
import { Well } from '../ui/ledger/well.tsx'
import { Dot } from '../ui/marks/dot.tsx'
import { Gauge } from '../ui/marks/gauge.tsx'
import { Icon } from '../ui/marks/icon.tsx'
import { Kbd } from '../ui/marks/kbd.tsx'
import { StopSquare } from '../ui/marks/stop-square.tsx'
import { EmptyState } from '../ui/notices/empty-state.tsx'
import styles from './gallery.module.css'

const nothing = (): void => {}
const at = (minute: number, second: number): number => new Date(2026, 10, 21, 14, minute, second).getTime()
const tabs = [
  { id: 'changes', label: 'Changes', count: '2', keys: 'Mod+1' },
  { id: 'terminal', label: 'Terminal', keys: 'Mod+2' },
  { id: 'agents', label: 'Agents', keys: 'Mod+3' },
  { id: 'plan', label: 'Plan', count: '1/4', keys: 'Mod+4' },
  { id: 'context', label: 'Context', keys: 'Mod+5' },
] as const
type TabId = (typeof tabs)[number]['id']

/** The components put together as a desk, to be laid beside the pictures of the look. */
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
              className="optional"
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
          placeholder="Steer the agent, or @ a file"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </ComposerFrame>
    </Pane>
  )
}

function DeskLedger({ live }: { readonly live: boolean }): ReactNode {
  return (
    <Ledger label="Ledger of March invoices">
      <EntryRow
        shape="turn"
        mark="you"
        at={at(2, 7)}
        line={
          <p>
            Customers west of Greenwich see invoices dated 1 March booked in February. Find out why, and fix it with a test that fails
            first.
          </p>
        }
      />
      <EntryRow
        mark="read"
        number={1}
        at={at(2, 9)}
        line={
          <>
            <span className="verb">Read 6 files</span>
            <span className="soft clip">parse-date.ts, parse-date.test.ts, calendar.ts, period.ts and 2 more</span>
            <Icon glyph={ChevronRight} />
          </>
        }
        effect="0.2 s"
      />
      <EntryRow
        mark="read"
        number={2}
        at={at(2, 12)}
        line={
          <>
            <span className="verb">Search</span>
            <span className="path">new Date\(</span>
            <span className="soft">in src</span>
          </>
        }
        effect={
          <>
            <span>11 in 4 files</span>
            <span>22 ms</span>
          </>
        }
      >
        <Well
          foot={
            <>
              <span>8 more in 1 file</span>
              <Button variant="quiet" small>
                Show all
              </Button>
            </>
          }
        >
          <ul className={styles.hits}>
            <li>
              <span className="clip">dates/parse-date.ts:17</span>
              <span className="clip">const d = new Date(text)</span>
            </li>
            <li>
              <span className="clip">invoices/period.ts:23</span>
              <span className="clip">const issued = new Date(invoice.issuedOn)</span>
            </li>
          </ul>
        </Well>
      </EntryRow>
      <EntryRow shape="prose" mark="note">
        <p>
          A day without a time is read as midnight UTC and then taken apart with local getters, so west of Greenwich it falls on the day
          before. <code>period.ts</code> is where invoices are booked.
        </p>
      </EntryRow>
      <Step
        mark="signed"
        number={3}
        time={at(2, 31)}
        verb="Plan"
        path=""
        rest="Read calendar days without a time zone, 4 of 5 steps"
        effect="signed 14:02:58"
      />
      <Step mark="rule" number={4} time={at(3, 22)} verb="Run" path="TZ=America/New_York npx jest src/dates" effect="3.1 s" />
      <EntryRow mark="refused" number={5} at={at(3, 39)} line={<Words verb="Run" path="npm install date-fns" />} effect="refused">
        <Quote>No new dependency. The platform is enough for a calendar day.</Quote>
      </EntryRow>
      <Step mark="undone" number={6} time={at(3, 58)} verb="Edit" path="src/import/csv.ts" effect="undone 14:04:20, later work kept" />
      {live && (
        <EntryRow
          mark="rule"
          number={7}
          at={at(5, 16)}
          line={<Words verb="Run" path="npx jest" />}
          effect={
            <>
              <Dot state="running" />
              <span className="num">0:07</span>
            </>
          }
        >
          <Well
            text={
              'PASS src/invoices/period.test.ts\nPASS src/invoices/total.test.ts (1.204 s)\nRUNS src/invoices/dunning.test.ts\nTests: 84 passed, 84 total'
            }
            foot={
              <>
                <span>5 of 31 suites</span>
                <Button variant="quiet" small>
                  Stop command
                </Button>
                <Button variant="quiet" small>
                  Open in Terminal
                </Button>
              </>
            }
          />
        </EntryRow>
      )}
    </Ledger>
  )
}

function Words({ verb, path, rest }: { readonly verb: string; readonly path: string; readonly rest?: string | undefined }): ReactNode {
  return (
    <>
      <span className="verb">{verb}</span>
      {path !== '' && <span className="path clip">{path}</span>}
      {rest !== undefined && <span className="soft clip">{rest}</span>}
    </>
  )
}

interface StepProps {
  readonly mark: 'signed' | 'rule' | 'undone'
  readonly number: number
  readonly time: number
  readonly verb: string
  readonly path: string
  readonly rest?: string
  readonly effect: string
}

function Step({ mark, number, time, verb, path, rest, effect }: StepProps): ReactNode {
  return (
    <EntryRow
      mark={mark}
      number={number}
      at={time}
      line={<Words verb={verb} path={path} rest={rest} />}
      effect={effect}
      actions={
        <Button variant="quiet" small>
          Undo this step
        </Button>
      }
    />
  )
}

function DeskTray(): ReactNode {
  return (
    <TrayFrame
      number={7}
      mark="pending"
      title="Edit 3 hunks in 2 files"
      aside="for plan step 2"
      headEnd={
        <Button variant="quiet" small className="optional">
          Open in Changes
        </Button>
      }
      answerKeys="Mod+J"
      foot={
        <>
          <Button variant="quiet" keys="Mod+Del">
            Refuse
          </Button>
          <Button variant="quiet">Refuse with a note</Button>
          <SignButton className="push" phase={{ kind: 'ready' }} keys="Mod+Enter" onSign={nothing}>
            Sign 2 of 3 hunks
          </SignButton>
        </>
      }
    >
      <FileRow path="src/dates/parse-date.ts" added={8} removed={5} />
      <HunkBar
        where="3–5"
        mark="signed"
        markWord="Accepted"
        what="Import daysInMonth, add ISO_DAY accepted"
        actions={
          <Button small variant="quiet">
            Show
          </Button>
        }
      />
      <HunkBar
        where="14–20"
        mark="proposed"
        current
        what="parseDay 2 of 3"
        actions={
          <>
            <Button small keys="A">
              Accept
            </Button>
            <Button small variant="quiet" keys="R">
              Reject
            </Button>
            <Button small variant="quiet" keys="E">
              Edit
            </Button>
          </>
        }
      />
      <FileRow path="src/invoices/period.ts" added={2} removed={2} />
      <HunkBar
        where="22–25"
        mark="signed"
        markWord="Accepted"
        what="periodOf accepted in your words"
        actions={
          <Button small variant="quiet">
            Show what was proposed
          </Button>
        }
      />
    </TrayFrame>
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
