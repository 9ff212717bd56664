import { type ReactNode, useMemo, useState } from 'react'
import { planText, readPlan } from '../../../../shared/tools/plan.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import styles from '../ledger.module.css'
import { Markdown } from '../markdown/markdown.tsx'

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
