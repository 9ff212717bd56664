import type { ReactNode } from 'react'
import type { CallItem } from '../../../../shared/session/state.ts'
import { runsCommand } from '../../../../shared/tools/catalogue.ts'
import { filesOf, useStepTexts } from '../../../state/hooks/use-step-texts.ts'
import { CallOutput } from '../../../tools/view/call-output.tsx'
import { viewOf } from '../../../tools/views.ts'
import { backgroundOf, longCommand, writtenOutput } from '../../../ui/calls/commands.ts'
import { StepDiff } from '../../../ui/diff/step-diff.tsx'
import { ExactText } from '../../../ui/text/exact-text.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import styles from '../ledger.module.css'
import { Markdown } from '../markdown/markdown.tsx'
import { BackgroundBody } from './background-body.tsx'
import { Reason } from './reason.tsx'
import { RunningOutput } from './running-output.tsx'

/** What lies under a step's line when it is unfolded: the whole command if its line could not hold it, then the result. */
export function CallBody({ call }: { readonly call: CallItem }): ReactNode {
  const command = longCommand(call)
  return (
    <>
      {command !== null && (
        <pre className={styles.command} role="group" aria-label="The whole command">
          <ExactText text={command} />
        </pre>
      )}
      <Result call={call} />
    </>
  )
}

function Result({ call }: { readonly call: CallItem }): ReactNode {
  const sessionId = useLedgerSession()
  if (call.status === 'running') return <RunningOutput call={call} />
  if (didNotRun(call)) return <Reason text={call.output} />
  if (backgroundOf(call) !== null) return <BackgroundBody call={call} />
  if (runsCommand(call)) return writtenOutput(call) === '' ? null : <CallOutput call={call} sessionId={sessionId} />
  if (call.isError) return <Reason text={call.output} />
  if (call.effects.some(({ kind }) => kind === 'write' || kind === 'delete')) return <Diff call={call} />
  const { Body = CallOutput } = viewOf(call)
  return <Body call={call} sessionId={sessionId} prose={prose} />
}

const prose = (text: string): ReactNode => <Markdown text={text} />

/** Then the output is a reason. Calls without effects start unasked, so their start says nothing. */
function didNotRun({ status, startedAt }: CallItem): boolean {
  return status === 'barred' || status === 'refused' || (startedAt === null && status !== 'done')
}

function Diff({ call }: { readonly call: CallItem }): ReactNode {
  return <StepDiff texts={useStepTexts(useLedgerSession(), filesOf(call.effects))} />
}
