import { memo, type ReactNode, useState } from 'react'
import type { CallItem } from '../../../../shared/session/state.ts'
import { useFileActions } from '../../../state/hooks/use-file-actions.ts'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { FileButtons } from '../../../ui/ledger/file-buttons.tsx'
import { MiddlePath } from '../../../ui/text/middle-path.tsx'
import { Quote } from '../../../ui/text/well.tsx'
import { CallBody } from '../calls/call-body.tsx'
import { Effects } from '../calls/call-effects.tsx'
import { foldingOf } from '../calls/call-folding.ts'
import { markOf, markWordOf, wasSigned } from '../../../ui/calls/call-mark.ts'
import { backgroundOf, runsCommand } from '../../../ui/calls/call-details.ts'
import { wordsOf } from '../../../ui/calls/call-words.ts'
import { firstLine, withShortProgram } from '../../../ui/calls/command-words.ts'
import { writtenOutput } from '../../../ui/calls/written-output.ts'
import { useLedgerSession } from '../ledger-session.ts'
import { FoldButton } from '../calls/fold-button.tsx'
import styles from '../ledger.module.css'
import { longCommand } from '../calls/long-command.ts'
import { foreign } from '../../../ui/text/exact-text.tsx'

/** A step: one line on the axis, and below it what is worth seeing at once. */
export const CallEntry = memo(function CallEntry({ call }: { readonly call: CallItem }): ReactNode {
  const { verb, subject, rest } = wordsOf(call)
  const file = fileOf(call)
  const refusal = call.approval?.answer?.kind === 'refused' ? call.approval.answer.note : null
  const folding = foldingOf(call)
  // what is signed before one's eyes is drawn; what was signed before simply stands there
  const [wasSignedAtFirst] = useState(() => wasSigned(call))
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = folding === 'fixed' || (chosen ?? folding === 'open')
  // the whole command stands right below then
  const isWhole = isOpen && folding !== 'none' && longCommand(call) !== null
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
          <span className="verb">{foreign(verb)}</span>
          {subject !== '' && !isWhole && <Subject call={call} words={subject} />}
          {rest !== '' && (
            <span className="soft" data-whole={backgroundOf(call) !== null || undefined}>
              {foreign(rest)}
            </span>
          )}
          {(folding === 'open' || folding === 'closed') && (
            <FoldButton open={isOpen} what={whatLies(call)} onPress={() => setChosen(!isOpen)} />
          )}
        </>
      }
      effect={<Effects call={call} />}
      actions={file !== null && <CallFileButtons path={file} line={lineOf(call)} />}
    >
      {refusal !== null && <Quote>{refusal}</Quote>}
      {isOpen && folding !== 'none' && <CallBody call={call} />}
    </EntryRow>
  )
})

/** A path loses its middle, never its end; a command and a pattern their end. */
function Subject({ call, words }: { readonly call: CallItem; readonly words: string }): ReactNode {
  if (namesPath(call)) return <MiddlePath path={words} className="path" />
  return (
    <span className="path" data-tip={words.length > 40 ? words.slice(0, 600) : undefined}>
      {foreign(firstLine(runsCommand(call) ? withShortProgram(words) : words))}
    </span>
  )
}

function CallFileButtons({ path, line }: { readonly path: string; readonly line: number | null }): ReactNode {
  return <FileButtons path={path} {...useFileActions({ sessionId: useLedgerSession(), path }, line)} />
}

/** The one file that an ended step read or changed, while there is one; a folder is none. */
function fileOf({ endedAt, isError, toolName, files, args }: CallItem): string | null {
  if (endedAt === null || isError) return null
  const [only, ...more] = files
  if (only) return more.length === 0 && only.after !== null ? only.path : null
  const path = args?.['file_path']
  return toolName === 'read_file' && typeof path === 'string' ? path : null
}

function lineOf({ args }: CallItem): number | null {
  const offset = args?.['offset']
  return typeof offset === 'number' && Number.isInteger(offset) && offset > 0 ? offset : null
}

function namesPath({ toolName, args, effects }: CallItem): boolean {
  const isFile = effects.some(({ kind }) => kind === 'write' || kind === 'delete')
  return isFile || toolName === 'list_dir' || typeof args?.['file_path'] === 'string'
}

const LIES: Readonly<Record<string, string>> = {
  glob: 'the files',
  list_dir: 'the entries',
  todo_read: 'the list',
  read_many_files: 'what was read',
  notebook_read: 'what was read',
  web_fetch: 'the page',
  web_search: 'the pages',
  bash_output: 'what was printed',
}

/** What unfolding shows, as its button says it. */
function whatLies(call: CallItem): string {
  if (runsCommand(call)) return writtenOutput(call) === '' ? 'the whole command' : 'the output'
  if (call.effects.some(({ kind }) => kind === 'write' || kind === 'delete')) return 'what changed'
  return LIES[call.toolName] ?? 'the result'
}
