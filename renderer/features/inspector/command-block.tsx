import { beganAt } from '../../../shared/session/fold/run-state.ts'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, type ReactNode, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { TerminalStatus } from '../../../shared/api/terminals.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { endCommand } from '../../state/commands/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { useFileLinks } from '../../state/hooks/use-file-links.ts'
import { useFileActions } from '../../state/hooks/use-file-actions.ts'
import { useIsLeft, useCommandTerminal } from '../../state/hooks/use-command-terminal.ts'
import { Button } from '../../ui/controls/button.tsx'
import { counting, duration, shownFolder } from '../../ui/format.ts'
import { useElapsed } from '../../ui/hooks/use-elapsed.ts'
import { FileButtons } from '../../ui/ledger/file-buttons.tsx'
import { commandDetails } from '../../../shared/tools/catalogue.ts'
import { outcomeOf } from '../../tools/views.ts'
import { isConfined } from '../../ui/calls/call-words.ts'
import { backgroundEnd, backgroundOf, exitTone } from '../../ui/calls/command-words.ts'
import { Dot } from '../../ui/marks/dot.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import type { ScreenState } from '../../ui/terminal/terminal-screen.ts'
import { TerminalView } from '../../ui/terminal/terminal-view.tsx'
import { CommandActions, CommandFiles } from './command-actions.tsx'
import { commandLine, hasRun, terminalName } from './command-facts.ts'
import styles from './inspector.module.css'
import { commandTerminalSource } from '../../state/commands/command-terminal-source.ts'

export interface CommandBlockProps {
  readonly sessionId: SessionId
  readonly call: CallItem
  readonly open: boolean
  readonly onToggle: (call: ToolCallId, open: boolean) => void
}

/** A command: step, command line, outcome, duration, folder, changed files, and its terminal. */
export const CommandBlock = memo(function CommandBlock({ sessionId, call, open, onToggle }: CommandBlockProps): ReactNode {
  const { command } = commandLine(call)
  const ran = hasRun(call)
  const [only, ...others] = call.files
  const head = (
    <>
      <span className="number">{call.step}</span>
      <span className={styles.command}>{command}</span>
      <Outcome sessionId={sessionId} call={call} />
      {ran && <Icon glyph={open ? ChevronDown : ChevronRight} size={12} />}
    </>
  )
  return (
    <li className={styles.block} id={`command-${call.toolCallId}`} data-call={call.toolCallId}>
      {ran ? (
        <button type="button" className={styles.head} aria-expanded={open} onClick={() => onToggle(call.toolCallId, !open)}>
          {head}
        </button>
      ) : (
        <div className={styles.head}>{head}</div>
      )}
      <Facts sessionId={sessionId} call={call} />
      {(ran || call.endedAt !== null) && (
        <div className={styles.below}>
          {call.files.length > 0 && <CommandFiles sessionId={sessionId} call={call} />}
          {only && others.length === 0 && only.after !== null && <MadeFileButtons sessionId={sessionId} file={only} />}
          <CommandActions sessionId={sessionId} call={call} command={command} />
        </div>
      )}
      {ran && open && <CommandTerminal sessionId={sessionId} call={call} command={command} />}
    </li>
  )
})

interface CommandProps {
  readonly sessionId: SessionId
  readonly call: CallItem
}

function Outcome({ sessionId, call }: CommandProps): ReactNode {
  const terminal = useCommandTerminal(sessionId, call.toolCallId)
  const isBackground = backgroundOf(call) !== null
  const running = isBackground ? terminal?.runs === true : call.status === 'running'
  const waits = running && (terminal?.waitsForInput === true || call.tail?.waitsForInput === true)
  // A background command can wait for input forever without blocking the turn, so it does not need the user.
  const needs = waits && !isBackground
  const isLeft = useIsLeft(call)
  const elapsed = useElapsed(running ? beganAt(call) : null)
  const took = isBackground ? backgroundTime(call, terminal) : hasRun(call) ? call.durationMs : null
  const exit = isBackground ? terminal : commandDetails(call)
  const bad = call.isError && call.status !== 'refused' && call.status !== 'barred' && call.status !== 'stopped'
  // The step of a command that succeeded failed if its changes were not kept.
  const tone = exit?.exitCode === 0 ? undefined : 'fail'
  return (
    <span className={styles.outcome}>
      {bad && <Mark kind="failed" silent />}
      <span className={bad ? tone : call.status === 'waiting' || needs ? 'needs' : exitTone(exit?.exitCode ?? null)}>
        {waits ? 'waits for input' : !isBackground ? outcomeOf(call) : running ? 'in the background' : backgroundEnd(terminal, isLeft)}
      </span>
      {running && <Dot state={needs ? 'needs' : 'running'} />}
      {running && <span className="num">{counting(elapsed)}</span>}
      {took !== null && <span className="num">{duration(took)}</span>}
    </span>
  )
}

/** Duration of a background command. Null while it runs or if it is unknown. */
function backgroundTime({ startedAt }: CallItem, terminal: TerminalStatus | null): number | null {
  return terminal !== null && terminal.endedAt !== null && startedAt !== null ? terminal.endedAt - startedAt : null
}

function Facts({ sessionId, call }: CommandProps): ReactNode {
  const name = terminalName(call)
  const home = useStore(useDesk().app, ({ hello }) => hello?.home ?? '')
  const { cwd } = commandLine(call)
  return (
    <p className={styles.facts}>
      {name !== null && <span className={styles.name}>{name}</span>}
      {cwd !== null && <span className={styles.cwd}>{shownFolder(cwd, home)}</span>}
      {call.copy && <span>in a copy</span>}
      {call.copy && <span>{networkOf(call)}</span>}
      {isConfined(call) && <span data-tip="It can write only in the folder, and reaches only hosts that rules allow.">confined</span>}
      {!hasRun(call) && call.status !== 'waiting' && call.status !== 'preparing' && call.status !== 'stopped' && <span>never ran</span>}
      <EndButton sessionId={sessionId} call={call} />
    </p>
  )
}

function networkOf({ copy, status }: CallItem): string {
  const reached = copy?.outcome?.reached ?? []
  if (reached.length > 0) return `reached ${reached.join(', ')}`
  return status === 'waiting' && copy?.outcome === null ? 'no network so far' : 'no network'
}

function MadeFileButtons({ sessionId, file }: { readonly sessionId: SessionId; readonly file: CallItem['files'][number] }): ReactNode {
  return <FileButtons path={file.shown} {...useFileActions({ sessionId, path: file.path })} />
}

/** Stops a background command. */
function EndButton({ sessionId, call }: CommandProps): ReactNode {
  const desk = useDesk()
  const canEnd = useCommandTerminal(sessionId, call.toolCallId)?.canEnd === true
  const name = backgroundOf(call)
  if (!canEnd || name === null) return null
  return (
    <Button
      variant="quiet"
      small
      className={styles.end}
      tip="Stops it and every process that it started."
      onPress={() => void endCommand(desk, sessionId, call.toolCallId)}
    >
      {`Stop ${name}`}
    </Button>
  )
}

interface CommandTerminalProps {
  readonly sessionId: SessionId
  readonly call: CallItem
  readonly command: string
}

function CommandTerminal({ sessionId, call, command }: CommandTerminalProps): ReactNode {
  const desk = useDesk()
  const { toolCallId } = call
  const source = useMemo(() => commandTerminalSource(desk, sessionId, toolCallId), [desk, sessionId, toolCallId])
  const files = useFileLinks(sessionId)
  const [state, setState] = useState<ScreenState>('waiting')
  if (state === 'nothing') return <StoredOutput call={call} />
  return (
    <div className={styles.terminal}>
      <TerminalView
        label={`Terminal of ${command}`}
        source={source}
        onState={setState}
        files={files}
        onLink={(url) => void desk.connection.client?.app.openLink({ url })}
      />
    </div>
  )
}

/** The output from the log, for a command whose terminal is not stored. */
function StoredOutput({ call }: { readonly call: CallItem }): ReactNode {
  const text = call.tail?.text ?? call.output
  return <pre className={styles.stored}>{text === '' ? 'No output.' : text}</pre>
}
