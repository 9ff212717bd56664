import type { ReactNode } from 'react'
import type { Effect } from '../../../../shared/session/effects.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { filesOf, useStepTexts } from '../../../state/hooks/use-step-texts.ts'
import { StepDiff } from '../../../ui/diff/step-diff.tsx'
import { counted } from '../../../ui/format.ts'
import { ExactText } from '../../../ui/text/exact-text.tsx'
import { TodoList } from '../../../ui/ledger/todo-list.tsx'
import { Well } from '../../../ui/text/well.tsx'
import { backgroundOf, globDetails, runsCommand, webSearchDetails } from '../../../ui/calls/call-details.ts'
import { writtenOutput } from '../../../ui/calls/written-output.ts'
import { BackgroundBody } from './background-body.tsx'
import { CallOutput } from './call-output.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import styles from '../ledger.module.css'
import { longCommand } from './long-command.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { Matches } from './matches.tsx'
import { ReadFiles } from './read-files.tsx'
import { Reason } from './reason.tsx'
import { RunningOutput } from './running-output.tsx'
import { todosOf } from './todos-of.ts'
import { WebHits } from './web-hits.tsx'

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
  if (isReason(call)) return <Reason text={call.output} />
  const todos = todosOf(call)
  if (todos.length > 0 && !call.isError) return <TodoList todos={todos} isRunning={false} />
  if (backgroundOf(call) !== null) return <BackgroundBody call={call} />
  if (runsCommand(call)) return writtenOutput(call) === '' ? null : <CallOutput call={call} />
  if (call.isError) return <Reason text={call.output} />
  return call.effects.some(writes) ? <Diff call={call} /> : <Found call={call} />
}

/** What a step that only looked has found. */
function Found({ call }: { readonly call: CallItem }): ReactNode {
  switch (call.toolName) {
    case 'grep':
      return <Matches call={call} />
    case 'glob':
      return <Paths call={call} />
    case 'read_many_files':
      return <ReadFiles call={call} />
    case 'web_search':
      return <WebHits hits={webSearchDetails(call)?.hits ?? []} />
    case 'ask_user_question':
      return <Markdown text={call.output} />
    case 'kill_shell':
    case 'exit_plan_mode':
      return <p className={`note ${styles.lines}`}>{call.output}</p>
    default:
      return <CallOutput call={call} />
  }
}

function Paths({ call }: { readonly call: CallItem }): ReactNode {
  const details = globDetails(call)
  if (details === null) return <CallOutput call={call} label="Files" />
  const more = details.total - details.paths.length
  return <Well label="Files" text={details.paths.join('\n')} foot={more > 0 ? <span>{counted(more, 'file')} more</span> : undefined} />
}

/** It did not run: what there is is a reason, not an output. What has no effects begins without being asked, so its beginning says nothing. */
function isReason({ status, startedAt }: CallItem): boolean {
  return status === 'barred' || status === 'refused' || (startedAt === null && status !== 'done')
}

const writes = ({ kind }: Effect): boolean => kind === 'write' || kind === 'delete'

function Diff({ call }: { readonly call: CallItem }): ReactNode {
  return <StepDiff texts={useStepTexts(useLedgerSession(), filesOf(call.effects))} />
}
