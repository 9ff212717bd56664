import { Search } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../../renderer/ui/controls/button.tsx'
import { HoldButton } from '../../renderer/ui/controls/signing/hold-button.tsx'
import { SignButton } from '../../renderer/ui/controls/signing/sign-button.tsx'
import { useHold } from '../../renderer/ui/hooks/use-hold.ts'
import { ForcedState } from './forced-state.tsx'
import styles from './gallery.module.css'

const SIGNED = { kind: 'signed', at: new Date(2026, 10, 21, 14, 5, 2).getTime() } as const
const states = ['', 'hover', 'active', 'focus-visible'] as const

interface Kind {
  readonly name: string
  readonly rest: ReactNode
  readonly disabled: ReactNode
  readonly busy: ReactNode
}

function labelled(name: 'plain' | 'quiet' | 'preferred', label: string, busyWord: string): Kind {
  const button = (props: Pick<ComponentProps<typeof Button>, 'busy' | 'disabledReason'>): ReactNode => (
    <Button variant={name} busyWord={busyWord} {...props}>
      {label}
    </Button>
  )
  return { name, rest: button({}), disabled: button({ disabledReason: 'Answered elsewhere' }), busy: button({ busy: true }) }
}

function Sign({ phase = { kind: 'ready' }, ...props }: Partial<ComponentProps<typeof SignButton>>): ReactNode {
  return (
    <SignButton phase={phase} armed onSign={() => {}} {...props}>
      Sign
    </SignButton>
  )
}

function Holding(props: Pick<ComponentProps<typeof HoldButton>, 'busy' | 'disabledReason'>): ReactNode {
  return (
    <HoldButton hold={useHold({ armed: true, onHeld: () => {} })} {...props}>
      Hold
    </HoldButton>
  )
}

const KINDS: readonly Kind[] = [
  labelled('plain', 'Test', 'Testing'),
  labelled('quiet', 'Refuse', 'Refusing'),
  labelled('preferred', 'Ask again', 'Asking'),
  { name: 'sign', rest: <Sign />, disabled: <Sign disabledReason="Nothing accepted yet" />, busy: <Sign phase={{ kind: 'writing' }} /> },
  { name: 'hold', rest: <Holding />, disabled: <Holding disabledReason="Answered elsewhere" />, busy: <Holding busy /> },
  {
    name: 'icon',
    rest: <Button variant="quiet" only icon={Search} label="Search" keys="Mod+K" />,
    disabled: <Button variant="quiet" only icon={Search} label="Search" disabledReason="Nothing to search" />,
    busy: (
      <Button small busy busyWord="Stopping">
        Stop
      </Button>
    ),
  },
]

/** Buttons in all states: at rest, hovered, pressed, focused, disabled and busy, and the states of a signature. */
export function Buttons(): ReactNode {
  return (
    <>
      <table className={styles.matrix}>
        <thead>
          <tr>
            {['kind', 'rest', 'hover', 'active', 'focus', 'disabled', 'busy'].map((word) => (
              <th key={word} scope="col">
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {KINDS.map(({ name, rest, disabled, busy }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {states.map((state) => (
                <td key={state}>
                  <ForcedState state={state}>{rest}</ForcedState>
                </td>
              ))}
              <td>{disabled}</td>
              <td>{busy}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <span className={styles.inline}>
        <Sign armed={false} keys="Mod+Enter" />
        <Sign phase={SIGNED} />
      </span>
    </>
  )
}
