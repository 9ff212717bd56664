import { type ReactNode, useState } from 'react'
import type { Effect } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { showCommand } from '../../state/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { filesOf, useStepTexts } from '../../state/use-step-texts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { StepDiff } from '../../ui/diff/step-diff.tsx'
import { counted, shortPath } from '../../ui/format.ts'
import { ExactText } from '../../ui/ledger/exact-text.tsx'
import { TodoList } from '../../ui/ledger/todo-list.tsx'
import { Well } from '../../ui/ledger/well.tsx'
import { globDetails, grepDetails } from '../../ui/ledger/call-words.ts'
import { useLedgerSession } from './ledger-session.ts'
import styles from './ledger.module.css'
import { longCommand } from './long-command.ts'
import { RunningOutput } from './running-output.tsx'
import { todosOf } from './todos-of.ts'

/** Hits shown before "Show all". */
const FEW_HITS = 3
/** Characters of a path beside its line; a longer one loses its middle. */
const PATH_ROOM = 40
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
  // barred or stopped before it ran: a reason, not an output
  if (call.startedAt === null) return call.output === '' ? null : <p className={`note ${styles.lines}`}>{call.output}</p>
  const todos = todosOf(call)
  if (todos.length > 0 && !call.isError) return <TodoList todos={todos} />
  switch (call.toolName) {
    case 'grep':
      return <Hits call={call} />
    case 'glob':
      return <Well label="Files" text={globDetails(call)?.paths.join('\n') ?? call.output} />
    case 'shell':
      return call.output === '' ? null : <Output call={call} />
    default:
      if (!call.effects.some(writes)) return <Output call={call} />
      return call.isError ? <Well label="Why it failed" text={call.output} /> : <Diff call={call} />
  }
}

const writes = ({ kind }: Effect): boolean => kind === 'write' || kind === 'delete'

function Output({ call }: { readonly call: CallItem }): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const lines = call.output.trimEnd().split('\n')
  const hidden = Math.max(0, lines.length - LAST_LINES)
  const isCut = hidden > 0 || call.outputBlob !== null
  return (
    <Well
      label="Output"
      text={lines.slice(hidden).join('\n')}
      foot={
        call.toolName === 'shell' || isCut ? (
          <>
            <span>{isCut ? `${call.outputBlob ? 'More than ' : ''}${counted(hidden, 'line')} before` : ''}</span>
            {call.toolName === 'shell' && (
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

function Hits({ call }: { readonly call: CallItem }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const details = grepDetails(call)
  if (call.isError || !details) return <Well label="Why it failed" text={call.output} />
  const shown = isWhole ? details.hits : details.hits.slice(0, FEW_HITS)
  const more = details.matches - shown.length
  return (
    <Well
      label="Matches"
      foot={
        more > 0 || details.hits.length > FEW_HITS ? (
          <>
            <span>{more > 0 ? `${more}${details.capped ? ' or more' : ''} more` : ''}</span>
            {details.hits.length > FEW_HITS && (
              <Button variant="quiet" small onPress={() => setWhole(!isWhole)}>
                {isWhole ? 'Show fewer' : details.matches > details.hits.length ? `Show ${details.hits.length}` : 'Show all'}
              </Button>
            )}
          </>
        ) : undefined
      }
    >
      <ul className={styles.hits}>
        {shown.map((hit) => (
          <li key={`${hit.path}:${hit.line}`}>
            <span className="clip" data-tip={hit.path.length > PATH_ROOM ? `${hit.path}:${hit.line}` : undefined}>
              {shortPath(hit.path, PATH_ROOM)}:{hit.line}
            </span>
            <span className="clip">{hit.text.trim()}</span>
          </li>
        ))}
      </ul>
    </Well>
  )
}

function Diff({ call }: { readonly call: CallItem }): ReactNode {
  return <StepDiff texts={useStepTexts(useLedgerSession(), filesOf(call.effects))} />
}
