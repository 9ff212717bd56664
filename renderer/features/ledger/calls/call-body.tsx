import { beganAt, isInCopy } from '../../../../shared/session/fold/run-state.ts'
import { type ReactNode, useState } from 'react'
import type { CallItem } from '../../../../shared/session/state.ts'
import { runsCommand } from '../../../../shared/tools/catalogue.ts'
import { endCommand, interruptCommand, showCommand } from '../../../state/commands/actions.ts'
import { answerCommand } from '../../../state/commands/go-to-terminal.ts'
import { lineMenuActions } from '../../../state/commands/files/file-actions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { useCommandTerminal } from '../../../state/hooks/use-command-terminal.ts'
import { filesOf, useStepTexts } from '../../../state/hooks/changes/use-step-texts.ts'
import { CallOutput } from '../../../tools/view/call-output.tsx'
import { ResultPictures } from '../../../tools/view/result-pictures.tsx'
import { gitFileDiff } from '../../../tools/view/git-file-diff.tsx'
import { viewOf } from '../../../tools/views.ts'
import { appliedGit } from '../../../ui/calls/call-words.ts'
import { backgroundOf, longCommand, writtenOutput } from '../../../ui/calls/command-words.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { StepDiff } from '../../../ui/diff/step-diff.tsx'
import { GitChangeView } from '../../../ui/git/git-change-view.tsx'
import { byteSize } from '../../../ui/format.ts'
import { ExactText } from '../../../ui/text/exact-text.tsx'
import { Well } from '../../../ui/text/well.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import styles from '../ledger.module.css'
import { Answer } from '../markdown/answer.tsx'
import { FailureReason } from './failure-reason.tsx'

/** The unfolded content below a step's line: the full command if the line is too short for it, then the result. */
export function CallBody({ call }: { readonly call: CallItem }): ReactNode {
  const sessionId = useLedgerSession()
  const command = longCommand(call)
  const git = appliedGit(call)
  return (
    <>
      {command !== null && (
        <pre className={styles.command} role="group" aria-label="The whole command">
          <ExactText text={command} />
        </pre>
      )}
      {git && <GitChangeView change={git} diffOf={gitFileDiff(sessionId)} />}
      <ResultPictures call={call} sessionId={sessionId} />
      <Result call={call} />
    </>
  )
}

function Result({ call }: { readonly call: CallItem }): ReactNode {
  const sessionId = useLedgerSession()
  if (call.status === 'running' || isInCopy(call)) return <RunningOutput call={call} />
  if (didNotRun(call)) return <FailureReason text={call.output} advice={call.advice} />
  if (backgroundOf(call) !== null) return <BackgroundBody call={call} />
  if (runsCommand(call)) return writtenOutput(call) === '' ? null : <CallOutput call={call} sessionId={sessionId} />
  if (call.isError) return <FailureReason text={call.output} advice={call.advice} />
  if (call.effects.some(({ kind }) => kind === 'write' || kind === 'delete')) return <Diff call={call} />
  const { Body = CallOutput } = viewOf(call)
  return <Body call={call} sessionId={sessionId} prose={prose} />
}

const prose = (text: string): ReactNode => (
  <div className={styles.words}>
    <Answer text={text} />
  </div>
)

/**
 * Whether the call did not run. If so, its output is the reason. A call without effects never has a start time, so only its status `done`
 * shows that it ran.
 */
function didNotRun(call: CallItem): boolean {
  const { status } = call
  return status === 'barred' || status === 'refused' || (beganAt(call) === null && status !== 'done')
}

function Diff({ call }: { readonly call: CallItem }): ReactNode {
  const desk = useDesk()
  const texts = useStepTexts(useLedgerSession(), filesOf(call.effects))
  const isThere = (path: string): boolean => call.files.some((file) => file.path === path)
  const menuOf = (path: string) => (isThere(path) ? { lineActions: lineMenuActions(desk, path, call.toolCallId) } : undefined)
  return <StepDiff texts={texts} menuOf={menuOf} />
}

type Stopping = 'not_asked' | 'asked' | 'no_terminal'

/** The last lines of a running command, with buttons to stop it and to open its terminal. */
function RunningOutput({ call }: { readonly call: CallItem }): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const [stopping, setStopping] = useState<Stopping>('not_asked')
  const stop = async (): Promise<void> => {
    setStopping('asked')
    if (!(await interruptCommand(desk, sessionId, call.toolCallId))) setStopping('no_terminal')
  }
  return (
    <Well
      label="Output so far"
      text={lastLines(call.tail?.text ?? '')}
      foot={
        <>
          <span>{STOPPING[stopping] ?? soFar(call)}</span>
          <Button variant="quiet" small onPress={() => void stop()}>
            Stop command
          </Button>
          <Button
            variant="quiet"
            small
            onPress={() => (call.tail?.waitsForInput ? answerCommand : showCommand)(desk, sessionId, call.toolCallId)}
          >
            {call.tail?.waitsForInput ? 'Answer in Terminal' : 'Open in Terminal'}
          </Button>
        </>
      }
    />
  )
}

function soFar({ copy, status, tail }: CallItem): string {
  if (!copy) return `${byteSize(tail?.bytes ?? 0)} so far`
  return status === 'waiting' ? 'Stopped at the network. Your folder is untouched.' : 'No network. Your folder is untouched.'
}

/** Number of output lines shown while a command runs: enough to see progress without making the view jump. */
const SHOWN_LINES = 8

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')
}

const STOPPING: Readonly<Partial<Record<Stopping, string>>> = {
  asked: 'Ctrl C was sent. If the command ignores it, use Stop at the top to end the turn.',
  no_terminal: 'It runs without a terminal. Use Stop at the top to end the turn.',
}

/** Buttons for the terminal of a command that keeps running after its call has ended. The terminal shows the live output. */
function BackgroundBody({ call }: { readonly call: CallItem }): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const terminal = useCommandTerminal(sessionId, call.toolCallId)
  const [isEnding, setEnding] = useState(false)
  const end = async (): Promise<void> => {
    setEnding(true)
    if (!(await endCommand(desk, sessionId, call.toolCallId))) setEnding(false)
  }
  if (terminal === null) return null
  return (
    <div className={styles.ways}>
      <Button
        variant="quiet"
        small
        onPress={() => (terminal.waitsForInput ? answerCommand : showCommand)(desk, sessionId, call.toolCallId)}
      >
        {terminal.waitsForInput ? 'Answer in Terminal' : 'Open in Terminal'}
      </Button>
      {terminal.canEnd && (
        <Button variant="quiet" small busy={isEnding} busyWord="Stopping" onPress={() => void end()}>
          {`Stop ${backgroundOf(call)}`}
        </Button>
      )}
    </div>
  )
}
