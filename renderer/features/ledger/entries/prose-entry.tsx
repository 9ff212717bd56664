import { memo, type ReactNode, useMemo, useState } from 'react'
import { planText, readPlan } from '../../../../shared/session/plan.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import styles from '../ledger.module.css'
import { Markdown } from '../markdown/markdown.tsx'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { ProseItem } from '../../../../shared/session/state.ts'
import { useDesk } from '../../../state/desk-context.ts'
import type { OpenSession } from '../../../state/stores/session-store.ts'

export interface ProseEntryProps {
  readonly text: string
  readonly thinking: string
  /** False: the answer broke off here. */
  readonly complete: boolean
  /** It is still being written. */
  readonly live: boolean
}

/** What the agent says, and folded above it what it thought. */
export function ProseEntry({ text, thinking, complete, live }: ProseEntryProps): ReactNode {
  const plan = useMemo(() => (live ? null : readPlan(text)), [live, text])
  return (
    <EntryRow shape="prose" mark="note" className={live ? undefined : styles.prose}>
      {thinking !== '' && <Thinking text={thinking} live={live && text === ''} />}
      <div className={styles.words}>
        <Markdown text={plan ? planText(plan) : text} />
        {!complete && <p className={styles.cutOff}>The answer breaks off here.</p>}
      </div>
    </EntryRow>
  )
}

function Thinking({ text, live }: { readonly text: string; readonly live: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const words = live ? 'Thinking' : 'Reasoning'
  return (
    <>
      <Button variant="quiet" small className={styles.fold} expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        {isOpen ? `Hide ${words.toLowerCase()}` : words}
      </Button>
      {isOpen && <p className={styles.thinking}>{text}</p>}
    </>
  )
}

interface ProseRowProps {
  readonly sessionId: SessionId
  /** Null: what is being written at this moment, if anything is. */
  readonly item: ProseItem | null
}

/** What a written answer listens to: thousands that listen to the session cost each frame of a new one thousands of looks. */
const NOTHING = createStore<OpenSession>(() => ({ session: null, isMissing: false, resetWhy: null, loadingOlder: false }))

/** An answer, written or being written: one row for both, so that nothing is drawn anew when it is done. */
export const ProseRow = memo(function ProseRow({ sessionId, item }: ProseRowProps): ReactNode {
  const desk = useDesk()
  const store = item === null ? desk.session(sessionId).store : NOTHING
  const text = useStore(store, ({ session }) => session?.live?.text ?? '')
  const thinking = useStore(store, ({ session }) => session?.live?.thinking ?? '')
  const isPlan = useStore(store, ({ session }) => session?.parent?.answer === 'plan')
  if (item) return <ProseEntry text={item.text} thinking={item.thinking} complete={item.complete} live={false} />
  if (text === '' && thinking === '') return null
  // a plan is handed in as data, and is read when all of it is there
  const words = isPlan && text.trimStart().startsWith('{') ? `Writing the plan, ${text.length} characters.` : text
  return <ProseEntry text={words} thinking={thinking} complete live />
})
