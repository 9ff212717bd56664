import { memo, type ReactNode, useState } from 'react'
import type { CallItem } from '../../../../shared/session/state.ts'
import { sameMembers } from '../../../state/same-members.ts'
import { duration } from '../../../ui/format.ts'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { MiddlePath } from '../../../ui/text/middle-path.tsx'
import { wordsOf } from '../../../ui/calls/call-words.ts'
import { CallOutput, type CallOutputProps } from '../../../tools/view/call-output.tsx'
import { ResultPictures } from '../../../tools/view/result-pictures.tsx'
import { FoldButton } from '../calls/fold-button.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import styles from '../ledger.module.css'

/** Consecutive file reads of one step in one line. The list of files unfolds. */
export const ReadsEntry = memo(
  function ReadsEntry({ calls }: { readonly calls: readonly CallItem[] }): ReactNode {
    const sessionId = useLedgerSession()
    const [chosen, setOpen] = useState<boolean | null>(null)
    const open = chosen ?? calls.some(hasPictures)
    const [first] = calls
    if (!first) return null
    const many = calls.length > 1
    const took = calls.reduce((sum, call) => sum + (call.durationMs ?? 0), 0)
    return (
      <EntryRow
        mark="read"
        number={first.step}
        at={first.at}
        line={
          <>
            <span className="verb">{many ? `Read ${calls.length} files` : 'Read'}</span>
            {many ? (
              <span className="soft">{calls.map(nameOf).join(', ')}</span>
            ) : (
              <MiddlePath path={wordsOf(first).subject} className="path" />
            )}
            {!many && wordsOf(first).rest !== '' && <span className="soft">{wordsOf(first).rest}</span>}
            <FoldButton open={open} what={many ? 'the files' : 'what was read'} onPress={() => setOpen(!open)} />
          </>
        }
        effect={took >= 50 ? duration(took) : undefined}
      >
        {open && !many && <WhatWasRead call={first} sessionId={sessionId} />}
        {open && many && (
          <ul className={styles.files}>
            {calls.map((call) => (
              <ReadFile key={call.id} call={call} />
            ))}
          </ul>
        )}
      </EntryRow>
    )
  },
  (before, after) => sameMembers(before.calls, after.calls),
)

/** One of several files: its path and, when unfolded, the text that was read. */
function ReadFile({ call }: { readonly call: CallItem }): ReactNode {
  const sessionId = useLedgerSession()
  const [chosen, setOpen] = useState<boolean | null>(null)
  const open = chosen ?? hasPictures(call)
  const { subject, rest } = wordsOf(call)
  return (
    <li>
      <div className={styles.file}>
        <MiddlePath path={subject} className="path" /> <span className="soft">{rest}</span>
        <FoldButton open={open} what={`what was read from ${subject}`} onPress={() => setOpen(!open)} />
      </div>
      {open && <WhatWasRead call={call} sessionId={sessionId} />}
    </li>
  )
}

/** Whether the result shows pictures. Pictures are shown immediately, and text only when it is unfolded. */
const hasPictures = ({ pictures }: CallItem): boolean => pictures !== undefined

function WhatWasRead({ call, sessionId }: CallOutputProps): ReactNode {
  return (
    <>
      <ResultPictures call={call} sessionId={sessionId} />
      <CallOutput call={call} sessionId={sessionId} label={`What was read from ${wordsOf(call).subject}`} />
    </>
  )
}

function nameOf(call: CallItem): string {
  return wordsOf(call).subject.split('/').at(-1) ?? ''
}
