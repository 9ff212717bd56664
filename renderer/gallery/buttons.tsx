import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { HoldButton } from '../ui/controls/signing/hold-button.tsx'
import { SignButton } from '../ui/controls/signing/sign-button.tsx'
import type { Hold } from '../ui/hooks/use-hold.ts'
import { ForcedState, HeldAt } from './forced-state.tsx'
import styles from './gallery.module.css'
import { Section, State } from './section.tsx'

const ready = { kind: 'ready' } as const
const nothing = (): void => {}
const still: Hold = {
  armed: true,
  holding: false,
  press: nothing,
  release: nothing,
  handlers: {
    onPointerDown: nothing,
    onPointerUp: nothing,
    onPointerLeave: nothing,
    onPointerCancel: nothing,
    onKeyDown: nothing,
    onKeyUp: nothing,
    onBlur: nothing,
  },
}

const states = ['', 'hover', 'active', 'focus-visible'] as const

function Cells({ children }: { readonly children: ReactNode }): ReactNode {
  return states.map((state) => (
    <td key={state}>
      <ForcedState state={state}>{children}</ForcedState>
    </td>
  ))
}

/** Buttons in all states: idle, hovered, pressed, focused, disabled and busy, and the states of a signature. */
export function Buttons(): ReactNode {
  return (
    <Section title="Buttons">
      <table className={styles.matrix}>
        <thead>
          <tr>
            <th scope="col">kind</th>
            {['rest', 'hover', 'active', 'focus', 'disabled', 'busy'].map((word) => (
              <th key={word} scope="col">
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">plain</th>
            <Cells>
              <Button>Test</Button>
            </Cells>
            <td>
              <Button disabledReason="Write a key first">Test</Button>
            </td>
            <td>
              <Button busy busyWord="Testing">
                Test
              </Button>
            </td>
          </tr>
          <tr>
            <th scope="row">quiet</th>
            <Cells>
              <Button variant="quiet">Refuse</Button>
            </Cells>
            <td>
              <Button variant="quiet" disabledReason="Answered elsewhere">
                Refuse
              </Button>
            </td>
            <td>
              <Button variant="quiet" busy busyWord="Refusing">
                Refuse
              </Button>
            </td>
          </tr>
          <tr>
            <th scope="row">preferred</th>
            <Cells>
              <Button variant="preferred">Ask again</Button>
            </Cells>
            <td>
              <Button variant="preferred" disabledReason="No network">
                Ask again
              </Button>
            </td>
            <td>
              <Button variant="preferred" busy busyWord="Asking">
                Ask again
              </Button>
            </td>
          </tr>
          <tr>
            <th scope="row">sign</th>
            <Cells>
              <SignButton phase={ready} armed onSign={nothing}>
                Sign
              </SignButton>
            </Cells>
            <td>
              <SignButton phase={ready} armed disabledReason="Nothing accepted yet" onSign={nothing}>
                Sign
              </SignButton>
            </td>
            <td>
              <SignButton phase={{ kind: 'writing' }} armed onSign={nothing}>
                Sign
              </SignButton>
            </td>
          </tr>
          <tr>
            <th scope="row">hold</th>
            <Cells>
              <HoldButton hold={still}>Hold</HoldButton>
            </Cells>
            <td>
              <HoldButton hold={still} disabledReason="Answered elsewhere">
                Hold
              </HoldButton>
            </td>
            <td>
              <HoldButton hold={still} busy>
                Hold
              </HoldButton>
            </td>
          </tr>
          <tr>
            <th scope="row">small, icon</th>
            <Cells>
              <Button variant="quiet" only icon={Search} label="Search" keys="Mod+K" />
            </Cells>
            <td>
              <Button small disabledReason="Nothing runs">
                Stop
              </Button>
            </td>
            <td>
              <Button small busy busyWord="Stopping">
                Stop
              </Button>
            </td>
          </tr>
        </tbody>
      </table>
      <Signature />
    </Section>
  )
}

function Signature(): ReactNode {
  return (
    <div className={styles.row}>
      <State note="first 300 ms: shown, not armed">
        <SignButton phase={ready} armed={false} onSign={nothing}>
          Sign 2 hunks
        </SignButton>
      </State>
      <State note="armed, tray has the focus">
        <SignButton phase={ready} armed keys="Mod+Enter" onSign={nothing}>
          Sign 2 hunks
        </SignButton>
      </State>
      <State note="destructive, rest">
        <HoldButton hold={still}>Hold to sign and run</HoldButton>
      </State>
      <State note="held 560 of 900 ms">
        <HeldAt ratio={0.62}>
          <HoldButton hold={still}>Hold to sign and run</HoldButton>
        </HeldAt>
      </State>
      <State note="done, 1.2 s, then the tray leaves">
        <SignButton phase={{ kind: 'signed', at: new Date(2026, 10, 21, 14, 5, 2).getTime() }} onSign={nothing}>
          Sign 2 hunks
        </SignButton>
      </State>
    </div>
  )
}
