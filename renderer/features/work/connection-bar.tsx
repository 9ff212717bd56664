import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { counting } from '../../ui/format.ts'
import { useElapsed } from '../../ui/hooks/use-elapsed.ts'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import styles from './work.module.css'

/** Shorter breaks are said in the status strip alone: most are over before one could read this. */
const SAID_AFTER_MS = 1_500

/** Said while this window does not hear from main: what is on screen is the last known state, and nothing can be signed. */
export function ConnectionBar(): ReactNode {
  const desk = useDesk()
  const state = useStore(desk.connection.state)
  const elapsed = useElapsed(state.kind === 'lost' ? state.sinceMs : null)
  if (state.kind === 'signed_out') {
    return (
      <div className={styles.notice} role="alert">
        <ErrorNotice
          framed
          happened={
            state.hadAddress
              ? state.why
              : 'This window is not signed in: Countersign was started anew since it was opened, or it was opened without an address.'
          }
          kept="All that is on disk. What you see is the last that this window knew; drafts stay in this browser."
          todo="Open the address that Countersign prints in its terminal. Pressing Enter there prints another one; where it runs without a terminal, start it again."
        />
      </div>
    )
  }
  if (state.kind !== 'lost' || elapsed < SAID_AFTER_MS) return null
  return (
    <div className={styles.notice} role="alert">
      <ErrorNotice
        framed
        happened={
          <>
            {state.why} This window has not heard anything for <span className="num">{counting(elapsed)}</span>.
          </>
        }
        kept="What you see is the last known state. The agent goes on if Countersign still runs; nothing can be signed from here meanwhile."
        todo="It connects again by itself as soon as it can."
        actions={
          <Button small className="push" onPress={() => desk.connection.retry()}>
            Connect now
          </Button>
        }
      />
    </div>
  )
}
