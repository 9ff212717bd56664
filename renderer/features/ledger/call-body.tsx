import type { ReactNode } from 'react'
import type { Effect } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { showCommand } from '../../state/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { filesOf, useStepTexts } from '../../state/use-step-texts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { StepDiff } from '../../ui/diff/step-diff.tsx'
import { counted } from '../../ui/format.ts'
import { ExactText } from '../../ui/ledger/exact-text.tsx'
import { TodoList } from '../../ui/ledger/todo-list.tsx'
import { Well } from '../../ui/ledger/well.tsx'
import { globDetails, runsCommand, shellDetails } from '../../ui/ledger/call-details.ts'
import { writtenOutput } from '../../ui/ledger/written-output.ts'
import { useLedgerSession } from './ledger-session.ts'
import styles from './ledger.module.css'
import { longCommand } from './long-command.ts'
import { Matches } from './matches.tsx'
import { RunningOutput } from './running-output.tsx'
import { todosOf } from './todos-of.ts'

/** Lines of a command's output shown in the ledger: its end, since that is where results stand. */
const LAST_LINES = 8

/** What lies under a step's line when it is not folded away: the whole command where its line could not hold it, then what came of it. */
export function CallBody({ call }: { readonly call: CallItem }): ReactNode {
  const command = longCommand(call)
  return (
    <>
      {command !== null && (
        <pre className={styles.command} role="group" aria-label="The whole command">
          <ExactText text={command} />
        </pre>
      )}
      <Came call={call} />
    </>
  )
}

function Came({ call }: { readonly call: CallItem }): ReactNode {
  if (call.status === 'running') return <RunningOutput call={call} />
  if (isReason(call)) return call.output === '' ? null : <p className={`note ${styles.lines}`}>{call.output}</p>
  const todos = todosOf(call)
  if (todos.length > 0 && !call.isError) return <TodoList todos={todos} />
  switch (call.toolName) {
    case 'grep':
      return <Matches call={call} />
    case 'glob':
      return <Well label="Files" text={globDetails(call)?.paths.join('\n') ?? call.output} />
    default:
      if (runsCommand(call) && writtenOutput(call) === '') return null
      if (!call.effects.some(writes)) return <Output call={call} />
      return call.isError ? <Well label="Why it failed" text={call.output} /> : <Diff call={call} />
  }
}

/** It did not run: what there is is a reason, not an output. What has no effects begins without being asked, so its beginning says nothing. */
function isReason({ status, startedAt }: CallItem): boolean {
  return status === 'barred' || status === 'refused' || (startedAt === null && status !== 'done')
}

const hasTerminal = (call: CallItem): boolean => runsCommand(call) && shellDetails(call)?.background === undefined

const writes = ({ kind }: Effect): boolean => kind === 'write' || kind === 'delete'

function Output({ call }: { readonly call: CallItem }): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const lines = writtenOutput(call).trimEnd().split('\n')
  const hidden = Math.max(0, lines.length - LAST_LINES)
  const isCut = hidden > 0 || call.outputBlob !== null
  return (
    <Well
      label="Output"
      text={lines.slice(hidden).join('\n')}
      foot={
        hasTerminal(call) || isCut ? (
          <>
            <span>{isCut ? `${call.outputBlob ? 'More than ' : ''}${counted(hidden, 'line')} before` : ''}</span>
            {hasTerminal(call) && (
              <Button variant="quiet" small onPress={() => showCommand(desk, sessionId, call.toolCallId)}>
                Open in Terminal
              </Button>
            )}
          </>
        ) : undefined
      }
    />
  )
}

function Diff({ call }: { readonly call: CallItem }): ReactNode {
  return <StepDiff texts={useStepTexts(useLedgerSession(), filesOf(call.effects))} />
}
