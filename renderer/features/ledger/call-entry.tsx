import { memo, type ReactNode, useState } from 'react'
import type { CallItem } from '../../../shared/session/state.ts'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import { Quote } from '../../ui/ledger/quote.tsx'
import { CallBody } from './call-body.tsx'
import { Effects } from './call-effects.tsx'
import { foldingOf } from './call-folding.ts'
import { markOf, markWordOf, wasSigned } from '../../ui/ledger/call-mark.ts'
import { wordsOf } from '../../ui/ledger/call-words.ts'
import { FoldButton } from './fold-button.tsx'
import styles from './ledger.module.css'

/** A step: one line on the axis, and below it what is worth seeing at once. */
export const CallEntry = memo(function CallEntry({ call }: { readonly call: CallItem }): ReactNode {
  const { verb, subject, rest } = wordsOf(call)
  const refusal = call.approval?.answer?.kind === 'refused' ? call.approval.answer.note : null
  const folding = foldingOf(call)
  // what is signed before one's eyes is drawn; what was signed before simply stands there
  const [wasSignedAtFirst] = useState(() => wasSigned(call))
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = folding === 'fixed' || (chosen ?? folding === 'open')
  return (
    <EntryRow
      mark={markOf(call)}
      markWord={markWordOf(call)}
      drawn={wasSigned(call) && !wasSignedAtFirst}
      number={call.step}
      at={call.at}
      id={`step-${call.toolCallId}`}
      className={call.endedAt === null ? undefined : styles.row}
      line={
        <>
          <span className="verb">{verb}</span>
          <span className="path" data-tip={subject.length > 40 ? subject.slice(0, 600) : undefined}>
            {firstLine(subject)}
          </span>
          {rest !== '' && <span className="soft">{rest}</span>}
          {(folding === 'open' || folding === 'closed') && (
            <FoldButton open={isOpen} what={call.toolName === 'shell' ? 'the output' : 'what changed'} onPress={() => setChosen(!isOpen)} />
          )}
        </>
      }
      effect={<Effects call={call} />}
    >
      {refusal !== null && <Quote>{refusal}</Quote>}
      {isOpen && folding !== 'none' && <CallBody call={call} />}
    </EntryRow>
  )
})

function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : `${text.slice(0, end)} …`
}
