import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { ConnectionState } from '../../state/stores/connection.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { clockTime, counting } from '../../ui/format.ts'
import { useElapsed } from '../../ui/hooks/use-elapsed.ts'
import { TrayFrame } from '../../ui/ledger/tray-frame.tsx'
import { Facts } from '../../ui/notices/facts.tsx'
import styles from './work.module.css'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'

/** Duration in ms after which the bar reports an interruption. Shorter interruptions appear only in the status strip. */
const SAID_AFTER_MS = 1_500

/** Shown while the window is disconnected. The screen shows the last known state, and nothing can be signed. */
export function ConnectionBar(): ReactNode {
  const desk = useDesk()
  const state = useStore(desk.connection.state)
  const elapsed = useElapsed(state.kind === 'lost' ? state.sinceMs : null)
  if (state.kind === 'signed_out') return <SignedOut state={state} />
  if (state.kind !== 'lost' || elapsed < SAID_AFTER_MS) return null
  return (
    <div role="alert" className={styles.onAxis}>
      <TrayFrame
        tone="error"
        mark="failed"
        title="Connection lost"
        headEnd={<span>{`${clockTime(state.sinceMs)}, ${counting(elapsed)} ago`}</span>}
        foot={
          <Button variant="preferred" className="push" onPress={() => desk.connection.retry()}>
            Connect now
          </Button>
        }
      >
        <Facts
          place="tray"
          facts={[
            { term: 'What happened', fact: state.why },
            {
              term: 'What was kept',
              fact: 'What you see is the last known state. The agent continues if Countersign is still running. Nothing can be signed from here until the connection is back.',
            },
            { term: 'What to do', fact: 'It reconnects automatically as soon as it can.' },
          ]}
        />
      </TrayFrame>
    </div>
  )
}

function SignedOut({ state }: { readonly state: Extract<ConnectionState, { kind: 'signed_out' }> }): ReactNode {
  const isKnown = useStore(useDesk().app, ({ hello }) => hello !== null)
  const happened = state.hadAddress
    ? state.why
    : 'This window is not signed in: Countersign was restarted after it was opened, or it was opened without the full address.'
  return (
    <div role="alert" className={styles.onAxis}>
      <TrayFrame tone="error" mark="failed" title={state.hadAddress ? 'This address was already used' : 'Not signed in'}>
        <Facts
          place="tray"
          facts={[
            { term: 'What happened', fact: happened },
            {
              term: 'What was kept',
              fact: isKnown
                ? 'Everything on disk is kept. You see the last known state. Drafts are kept in this browser.'
                : 'Everything on disk is kept, and drafts are kept in this browser.',
            },
            {
              term: 'What to do',
              fact: 'Open the address that Countersign prints in its terminal. Pressing Enter there prints another one. If it runs without a terminal, start it again.',
            },
          ]}
        />
      </TrayFrame>
    </div>
  )
}

/** An error from a shortcut or button that has no place of its own to show it. It is shown until it is dismissed. */
export function NoticeBar(): ReactNode {
  const desk = useDesk()
  const trouble = useStore(desk.notice, (notice) => notice.trouble)
  if (!trouble) return null
  return (
    <div className={styles.notice} role="alert">
      <ErrorNotice
        framed
        happened={trouble.what}
        kept={trouble.kept}
        todo={trouble.todo}
        actions={
          <Button small className="push" onPress={() => desk.notice.setState({ trouble: null })}>
            Dismiss
          </Button>
        }
      />
    </div>
  )
}
