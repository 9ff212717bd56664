import { memo, type ReactNode, useMemo, useState } from 'react'
import { planText, readPlan } from '../../../../shared/workflow/plan-agent-answer.ts'
import { Button } from '../../../ui/controls/button.tsx'
import type { PointerPlace } from '../../../ui/controls/pointer-menu.tsx'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import styles from '../ledger.module.css'
import { AnswerMenu, seqOf } from './message-menu.tsx'
import { Answer } from '../markdown/answer.tsx'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { ProseItem } from '../../../../shared/session/state.ts'
import { useDesk } from '../../../state/desk-context.ts'
import type { OpenSession } from '../../../state/stores/session-store.ts'

interface ProseProps {
  readonly text: string
  readonly thinking: string
  /** False if the answer was cut off. */
  readonly complete: boolean
  /** Whether the answer is still being written. */
  readonly live: boolean
  readonly actions?: ReactNode
  readonly renderMenu?: ((at: PointerPlace) => ReactNode) | undefined
}

/** The agent's answer, with its reasoning folded above. */
function Prose({ text, thinking, complete, live, actions, renderMenu }: ProseProps): ReactNode {
  const plan = useMemo(() => (live ? null : readPlan(text)), [live, text])
  return (
    <EntryRow shape="prose" mark="note" actions={actions} lazyActions renderMenu={renderMenu}>
      {thinking !== '' && <Thinking text={thinking} live={live && text === ''} />}
      <div className={styles.words}>
        <Answer text={plan ? planText(plan) : text} live={live} />
        {!complete && <p className={styles.cutOff}>The answer was cut off here.</p>}
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

interface ProseEntryProps {
  readonly sessionId: SessionId
  /** Null for the answer that is being written now. */
  readonly item: ProseItem | null
}

/** A finished answer subscribes to this constant store, because thousands of subscribers to the session would slow down each frame. */
const NOTHING = createStore<OpenSession>(() => ({ session: null, isMissing: false, resetWhy: null, loadingOlder: false }))

/**
 * A finished answer, or the answer that is being written. Both use one component, so that nothing is remounted when the answer is finished.
 */
export const ProseEntry = memo(function ProseEntry({ sessionId, item }: ProseEntryProps): ReactNode {
  const desk = useDesk()
  const store = item === null ? desk.session(sessionId).store : NOTHING
  const text = useStore(store, ({ session }) => session?.live?.text ?? '')
  const thinking = useStore(store, ({ session }) => session?.live?.thinking ?? '')
  const isPlan = useStore(store, ({ session }) => session?.parent?.answer === 'plan')
  if (item) {
    const { text: words, thinking: thoughts, complete } = item
    const menu = (at?: PointerPlace): ReactNode => <AnswerMenu seq={seqOf(item)} text={words} at={at} />
    return <Prose text={words} thinking={thoughts} complete={complete} live={false} actions={menu()} renderMenu={menu} />
  }
  if (text === '' && thinking === '') return null
  // A plan is JSON and can be shown only when it is complete.
  const words = isPlan && text.trimStart().startsWith('{') ? `Writing the plan, ${text.length} characters.` : text
  return <Prose text={words} thinking={thinking} complete live />
})
