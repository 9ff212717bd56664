import { type ReactNode, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { attemptRequest, report } from '../../state/commands/attempt-request.ts'
import { focusWhenThere } from '../../state/commands/focus-when-there.ts'
import { lineMenuActions } from '../../state/commands/files/file-actions.ts'
import type { Desk } from '../../state/desk.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { useStepTexts } from '../../state/hooks/changes/use-step-texts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { writtenOutput } from '../../ui/calls/command-words.ts'
import { FileTextsDiff } from '../../ui/diff/file-texts-diff.tsx'
import { MissingTexts } from '../../ui/diff/file-notes.tsx'
import { counted } from '../../ui/format.ts'
import { FileRow } from '../../ui/ledger/file-row.tsx'
import { LiveRegion } from '../../ui/notices/screen-reader.tsx'
import { hasRun } from './command-facts.ts'
import styles from './inspector.module.css'

interface CommandActionsProps {
  readonly sessionId: SessionId
  readonly call: CallItem
  readonly command: string
}

/** The actions for a command that ran: copy its output, or insert the command into the composer without running it. */
export function CommandActions({ sessionId, call, command }: CommandActionsProps): ReactNode {
  const desk = useDesk()
  // The composer is missing in a replay, which must not change the draft of its session.
  const hasComposer = useView((view) => view.page === 'desk')
  const [isCopied, setCopied] = useState(false)
  return (
    <span className={styles.actions}>
      {call.endedAt !== null && hasRun(call) && writtenOutput(call).trim() !== '' && (
        <Button
          variant="quiet"
          small
          label={isCopied ? `Copied: output of ${command}` : `Copy output of ${command}`}
          onPress={() => void copyOutput(desk, sessionId, call).then(setCopied)}
        >
          {isCopied ? 'Copied' : 'Copy output'}
        </Button>
      )}
      {hasComposer && (
        <Button
          variant="quiet"
          small
          label={`Type again: ${command}`}
          tip="Puts the command into the message. It does not run."
          onPress={() => typeAgain(desk, sessionId, command)}
        >
          Type again
        </Button>
      )}
      <LiveRegion urgency="polite" message={isCopied ? 'Output copied.' : ''} />
    </span>
  )
}

/**
 * Copies the complete output, even if the log itself contains only its beginning and end. Returns true if it was copied. Otherwise a notice
 * gives the reason.
 */
async function copyOutput(desk: Desk, sessionId: SessionId, call: CallItem): Promise<boolean> {
  const failed = await attemptRequest(desk, 'The output was not copied', async () => {
    const whole = call.outputBlob && (await desk.texts.get(sessionId, call.outputBlob.hash))
    if (whole && whole.kind !== 'text') return { ok: false, trouble: NOT_READ }
    await navigator.clipboard.writeText(whole ? whole.text : call.output)
    return { ok: true }
  })
  if (failed) await report(desk, Promise.resolve(failed))
  return failed === null
}

const NOT_READ = {
  code: 'output_not_read',
  what: 'The output was not copied: it is no longer stored, or too large for a window.',
  kept: 'The clipboard is unchanged.',
  todo: 'Export the session, which includes the stored output.',
}

/** Appends the command to the message that is being written. */
function typeAgain(desk: Desk, sessionId: SessionId, command: string): void {
  desk.drafts.set(sessionId, [desk.drafts.get(sessionId), command].filter((text) => text !== '').join('\n'))
  focusWhenThere('[data-composer-text]')
}

/** The number of files that a command changed. Clicking it shows their diffs. */
export function CommandFiles({ sessionId, call }: Omit<CommandActionsProps, 'command'>): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const words = `${counted(call.files.length, 'file')} changed`
  return (
    <>
      <Button
        variant="quiet"
        small
        expanded={isOpen}
        tip={call.files.map(({ shown }) => shown).join(', ')}
        onPress={() => setOpen(!isOpen)}
      >
        {words}
      </Button>
      {isOpen && <Differences sessionId={sessionId} call={call} />}
    </>
  )
}

function Differences({ sessionId, call }: Omit<CommandActionsProps, 'command'>): ReactNode {
  const desk = useDesk()
  const texts = useStepTexts(sessionId, call.files)
  return (
    <div className={styles.differences}>
      {texts.kind === 'loaded' ? (
        texts.files.map((file) => (
          <section key={file.path} aria-label={file.shown}>
            <FileRow path={file.shown} />
            <FileTextsDiff file={file} lineActions={lineMenuActions(desk, file.path, call.toolCallId)} />
          </section>
        ))
      ) : (
        <MissingTexts texts={texts} className={styles.words} />
      )}
    </div>
  )
}
