import { FileDiff, GitFork, Redo2, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../renderer/ui/controls/button.tsx'
import { HoldButton } from '../../renderer/ui/controls/signing/hold-button.tsx'
import { Menu } from '../../renderer/ui/controls/menu.tsx'
import { Segmented } from '../../renderer/ui/controls/segmented.tsx'
import { Select } from '../../renderer/ui/controls/select/select.tsx'
import { SignButton, type SignPhase } from '../../renderer/ui/controls/signing/sign-button.tsx'
import { Splitter } from '../../renderer/ui/frame/panes/splitter.tsx'
import { TabPanel, Tabs } from '../../renderer/ui/frame/tabs.tsx'
import { TooltipLayer } from '../../renderer/ui/frame/tooltip-layer.tsx'
import { useElapsed } from '../../renderer/ui/hooks/use-elapsed.ts'
import { useHold } from '../../renderer/ui/hooks/use-hold.ts'
import { counting } from '../../renderer/ui/format.ts'
import styles from './gallery.module.css'

/** Working controls that write their actions into the log, for manual tests and for the behavior tests. */
export function LiveControls(): ReactNode {
  const [log, setLog] = useState<readonly string[]>([])
  const write = (line: string): void => setLog((lines) => [...lines, line])
  return (
    <main className={styles.bench}>
      <h1 className="doc-title">Live controls</h1>
      <output data-log="" aria-label="Log" style={{ position: 'fixed', right: 32, top: 32 }}>
        {log.map((line, index) => (
          <div key={index}>{line}</div>
        ))}
      </output>
      <Signing write={write} />
      <Holding write={write} />
      <Choosing write={write} />
      <Moving write={write} />
      <Timing />
      <TooltipLayer />
    </main>
  )
}

interface PartProps {
  readonly write: (line: string) => void
}

function Signing({ write }: PartProps): ReactNode {
  const [phase, setPhase] = useState<SignPhase>({ kind: 'ready' })
  const [away, setAway] = useState(true)
  return (
    <section aria-label="Signing">
      <Button onPress={() => setAway(!away)}>{away ? 'Bring the tray' : 'Take the tray away'}</Button>
      <Button onPress={() => setPhase({ kind: 'writing' })}>Write</Button>
      <Button onPress={() => setPhase({ kind: 'ready' })}>Fail</Button>
      <Button onPress={() => setPhase({ kind: 'signed', at: new Date(2026, 10, 21, 14, 5, 2).getTime() })}>Succeed</Button>
      {!away && (
        <SignButton phase={phase} onSign={() => write('signed')} onSignedShown={() => write('signature was shown')}>
          Sign 2 of 3 hunks
        </SignButton>
      )}
      <Button busy={phase.kind === 'writing'} busyWord="Stopping" onPress={() => write('stopped')}>
        Stop
      </Button>
      <Button disabledReason="Nothing has changed" onPress={() => write('undone')}>
        Undo turn
      </Button>
    </section>
  )
}

function Holding({ write }: PartProps): ReactNode {
  const [armed, setArmed] = useState(true)
  const hold = useHold({ armed, onHeld: () => write('held') })
  return (
    <section aria-label="Holding">
      <HoldButton hold={hold} keys="Mod+Enter">
        Hold to sign and run
      </HoldButton>
      <Button onPress={() => setArmed(!armed)}>{armed ? 'Disarm' : 'Arm'}</Button>
    </section>
  )
}

function Choosing({ write }: PartProps): ReactNode {
  const [model, setModel] = useState<string | null>(null)
  const [how, setHow] = useState<'again' | 'session' | 'always'>('again')
  return (
    <section aria-label="Choosing">
      <Menu
        trigger={{ children: 'Step 8', variant: 'plain' }}
        label="Step 8"
        entries={[
          { kind: 'item', id: 'undo', label: 'Undo this step', icon: Undo2, keys: 'U', onSelect: () => write('undo') },
          { kind: 'item', id: 'diff', label: 'Show its diff', icon: FileDiff, keys: 'D', onSelect: () => write('diff') },
          { kind: 'rule', id: 'rule' },
          { kind: 'item', id: 'fork', label: 'Fork from here', icon: GitFork, onSelect: () => write('fork') },
          { kind: 'item', id: 'redo', label: 'Redo', icon: Redo2, disabledReason: 'nothing undone', onSelect: () => write('redo') },
        ]}
      />
      <Select
        label="Model"
        variant="field"
        whileEmpty="Choose a model"
        selected={model}
        onSelect={(id) => {
          setModel(id)
          write(`model ${id}`)
        }}
        options={[
          { id: 'sonnet', label: 'claude-sonnet-4-5', group: 'Anthropic', aside: '200k' },
          { id: 'opus', label: 'claude-opus-4-5', group: 'Anthropic', aside: '200k' },
          { id: 'gpt', label: 'gpt-5.1', group: 'OpenAI', hint: 'No key yet', disabledReason: 'Add a key for OpenAI first' },
          { id: 'qwen', label: 'qwen3-coder:30b', group: 'On this computer', aside: '32k' },
        ]}
      />
      <Segmented
        label="How long this answer holds"
        selected={how}
        onSelect={(id) => {
          setHow(id)
          write(`next time ${id}`)
        }}
        segments={[
          { id: 'again', label: 'Ask again' },
          { id: 'session', label: 'Yes, this session' },
          { id: 'always', label: 'Yes, always in this project' },
        ]}
      />
    </section>
  )
}

function Moving({ write }: PartProps): ReactNode {
  const [tab, setTab] = useState<'changes' | 'terminal' | 'plan'>('changes')
  const [width, setWidth] = useState(264)
  return (
    <section aria-label="Moving">
      <div>
        <Tabs
          label="Inspector"
          panelId="bench-panel"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: 'changes', label: 'Changes', count: '2' },
            { id: 'terminal', label: 'Terminal' },
            { id: 'plan', label: 'Plan' },
          ]}
        />
        <TabPanel id="bench-panel" tab={tab}>
          <p>This is {tab}.</p>
        </TabPanel>
      </div>
      <div className={styles.split}>
        <div style={{ width }} />
        <Splitter
          label="Width of sessions"
          pane="left"
          width={width}
          min={220}
          max={400}
          onResize={setWidth}
          onRest={(to) => write(`width ${to}`)}
          onReset={() => {
            setWidth(264)
            write('width reset')
          }}
        />
      </div>
    </section>
  )
}

function Timing(): ReactNode {
  const [since, setSince] = useState<number | null>(null)
  const elapsed = useElapsed(since)
  return (
    <section aria-label="Timing">
      <Button onPress={() => setSince(Date.now())}>Start the clock</Button>
      <time className="mono">{counting(elapsed)}</time>
    </section>
  )
}
