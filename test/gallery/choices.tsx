import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../renderer/ui/controls/button.tsx'
import { Check } from '../../renderer/ui/controls/check.tsx'
import { Field } from '../../renderer/ui/controls/field.tsx'
import { Segmented } from '../../renderer/ui/controls/segmented.tsx'
import { Select } from '../../renderer/ui/controls/select/select.tsx'
import { Switch } from '../../renderer/ui/controls/switch.tsx'
import { TabPanel, Tabs } from '../../renderer/ui/frame/tabs.tsx'
import { Dot } from '../../renderer/ui/marks/dot.tsx'
import { Gauge } from '../../renderer/ui/marks/gauge.tsx'
import { Kbd } from '../../renderer/ui/marks/kbd.tsx'
import { PlatformContext } from '../../renderer/ui/marks/key-labels.ts'
import { ForcedState } from './forced-state.tsx'
import styles from './gallery.module.css'

const nothing = (): void => {}

/** Fields, choices, tabs and indicators. */
export function Choices({ theme }: { readonly theme: string }): ReactNode {
  const [layout, setLayout] = useState<'split' | 'stacked'>('split')
  const [tab, setTab] = useState<'terminal' | 'plan' | 'context'>('terminal')
  const [mode, setMode] = useState<'ask' | 'accept-edits' | 'plan'>('ask')
  const panel = `panel-${theme}`
  return (
    <div className={styles.grid}>
      <State note="rest" wide>
        <Field label="Search settings" whileEmpty="Search settings" icon={Search} value="" onChange={nothing} />
      </State>
      <State note="focus" wide>
        <ForcedState state="focus">
          <Field label="Pattern" mono value="getMonth" onChange={nothing} />
        </ForcedState>
      </State>
      <State note="error" wide>
        <Field label="Address" mono value="127.0.0.1:99999" error="99999 is not a port. Up to 65535." onChange={nothing} />
      </State>
      <State note="label, busy" wide>
        <Field label="Key" labelShown type="secret" value="sk-123456789" busy onChange={nothing} />
      </State>
      <State note="lines, with a button" wide>
        <Field
          label="Note to the agent"
          rows={2}
          value="No new dependency. The platform is enough."
          end={<Button small>Send</Button>}
          onChange={nothing}
        />
      </State>
      <State note="segments, select">
        <span className={styles.inline}>
          <Segmented
            label="Layout"
            segments={[
              { id: 'split', label: 'Split' },
              { id: 'stacked', label: 'Stacked' },
            ]}
            selected={layout}
            onSelect={setLayout}
          />
          <Select
            label="Mode"
            prefix="Mode"
            selected={mode}
            onSelect={setMode}
            options={[
              { id: 'ask', label: 'ask', hint: 'Writes and commands ask' },
              { id: 'accept-edits', label: 'accept edits', hint: 'Commands still ask' },
              { id: 'plan', label: 'plan', disabledReason: 'A turn is under way' },
            ]}
          />
        </span>
      </State>
      <State note="check, switch">
        <span className={styles.inline}>
          <Check label="One" labelHidden checked={false} onChange={nothing} />
          <Check label="Two" labelHidden checked onChange={nothing} />
          <ForcedState state="focus-visible">
            <Check label="Three" labelHidden checked={false} onChange={nothing} />
          </ForcedState>
          <Check label="Four" labelHidden checked disabledReason="Set by your company" onChange={nothing} />
          <Switch label="One" on={false} onChange={nothing} />
          <Switch label="Two" on onChange={nothing} />
          <ForcedState state="focus-visible">
            <Switch label="Three" on onChange={nothing} />
          </ForcedState>
        </span>
      </State>
      <State note="tabs">
        <Tabs
          label={`Inspector, ${theme}`}
          panelId={panel}
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: 'terminal', label: 'Terminal', keys: 'Mod+2' },
            { id: 'plan', label: 'Plan', count: '1/4' },
            { id: 'context', label: 'Context' },
          ]}
        />
        <TabPanel id={panel} tab={tab}>
          <span className="meta">{tab}</span>
        </TabPanel>
      </State>
      <State note="state, by shape and color">
        <span className={styles.inline}>
          {(['running', 'needs', 'unread', 'failed', 'proven'] as const).map((state) => (
            <span key={state} className={styles.inline} style={{ gap: 6 }}>
              <Dot state={state} silent />
              {state}
            </span>
          ))}
        </span>
      </State>
      <State note="level with graduations; keys">
        <span className={styles.inline}>
          <Gauge label="Context" ratio={0.86} ticks={[0.8, 0.92]} />
          <Kbd keys="Mod+Shift+F" />
          <PlatformContext value="mac">
            <Kbd keys="Mod+Shift+F" />
          </PlatformContext>
        </span>
      </State>
    </div>
  )
}

/** A control, and below it the name of the state that it shows. */
function State({ note, wide = false, children }: { readonly note: string; readonly wide?: boolean; readonly children: ReactNode }) {
  return (
    <span className={wide ? styles.stateWide : styles.state}>
      {children}
      <small>{note}</small>
    </span>
  )
}
