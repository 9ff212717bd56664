import { Check, Minus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PullRequestCheck } from '../../../../shared/api/changes/publish.ts'
import { firstFailure } from '../../../../shared/lib/lines/first-failure.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { sendBeside } from '../../../state/commands/layer-actions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { counting } from '../../../ui/format.ts'
import { BusyRing } from '../../../ui/marks/dot.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { foreign } from '../../../ui/text/exact-text.tsx'
import styles from './publish.module.css'

/** Maximum number of lines of a failed check on screen. */
const SHOWN = 12
/** Maximum number of lines of a failed check in the message to the agent. */
const GIVEN = 120

interface CheckRowProps {
  readonly sessionId: SessionId
  readonly check: PullRequestCheck
}

/** A check of a pull request. The first failing lines of a failed check can be shown, and sent to the agent. */
export function CheckRow({ sessionId, check }: CheckRowProps): ReactNode {
  const desk = useDesk()
  const { id, name, state, startedAt, endedAt } = check
  const [lines, setLines] = useState<readonly string[] | null>(null)
  const [isReading, setReading] = useState(false)
  const [isSending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const read = async (): Promise<readonly string[] | null> => {
    if (lines !== null || id === null) return lines
    let found: readonly string[] | null = null
    setReading(true)
    const failed = await attemptRequest(desk, 'The log was not read', async (client) => {
      const answer = await client.publish.failedLines({ sessionId, id })
      if (answer.ok) found = answer.lines
      return answer
    })
    setReading(false)
    setTrouble(failed)
    setLines(found)
    return found
  }
  const fix = async (): Promise<void> => {
    setSending(true)
    const found = await read()
    if (found !== null) await sendBeside(desk, sessionId, fixText(name, found))
    setSending(false)
  }
  const took = startedAt !== null && endedAt !== null ? counting(endedAt - startedAt) : ''
  return (
    <li>
      <div className={styles.check}>
        <StateMark state={state} />
        <span className="clip">{foreign(name)}</span>
        <span className={styles[state]}>{state}</span>
        <span className="push" />
        <span className={styles.time}>{took}</span>
        {state === 'failed' && id !== null && (
          <>
            <Button
              variant="quiet"
              small
              busy={isReading}
              busyWord="Reading"
              expanded={lines !== null}
              label={`${lines === null ? 'First failing lines' : 'Hide lines'} of ${name}`}
              onPress={() => (lines === null ? void read() : setLines(null))}
            >
              {lines === null ? 'First failing lines' : 'Hide lines'}
            </Button>
            <Button
              small
              variant="preferred"
              busy={isSending}
              busyWord="Sending"
              label={`Let the agent fix it: ${name}`}
              tip="In a session beside the folder, if there can be one"
              onPress={() => void fix()}
            >
              Let the agent fix it
            </Button>
          </>
        )}
      </div>
      {trouble && <ErrorNotice framed happened={<pre>{trouble.what}</pre>} kept={trouble.kept} todo={trouble.todo} />}
      {lines !== null && <FailingLines lines={lines} />}
    </li>
  )
}

const fixText = (name: string, lines: readonly string[]): string =>
  `The check “${name}” of the pull request failed. Find the cause and fix it. Its output from the first failure on:\n\n${lines.slice(0, GIVEN).join('\n')}`

function FailingLines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  const first = firstFailure(lines)
  return (
    <figure className={styles.lines}>
      <pre>{foreign(lines.slice(0, SHOWN).join('\n'))}</pre>
      <figcaption>
        {Math.min(SHOWN, lines.length)} of {lines.length.toLocaleString('en-US')} lines{first === null ? '' : ' from the first failure on'}
      </figcaption>
    </figure>
  )
}

function StateMark({ state }: { readonly state: PullRequestCheck['state'] }): ReactNode {
  switch (state) {
    case 'running':
      return <BusyRing />
    case 'passed':
      return <Icon glyph={Check} size={14} />
    case 'failed':
      return (
        <span className={styles.failed}>
          <Icon glyph={X} size={14} />
        </span>
      )
    case 'skipped':
      return <Icon glyph={Minus} size={14} />
  }
}
