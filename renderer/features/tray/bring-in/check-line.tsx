import { type ReactNode, useId, useState } from 'react'
import { assertNever } from '../../../../shared/lib/assert-never.ts'
import type { CheckItem } from '../../../../shared/api/bring-in.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { span } from '../../../ui/format.ts'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { LiveRegion } from '../../../ui/notices/screen-reader.tsx'
import styles from './bring-in.module.css'
import type { Check } from './use-check.ts'

interface CheckLineProps {
  readonly check: Check
  /** Why nothing can be checked now. Null if it can. */
  readonly disabledReason: string | null
}

/** A command that runs in a copy of the result before the signature: typed, running, or with its outcome. */
export function CheckLine({ check, disabledReason }: CheckLineProps): ReactNode {
  const { item, command, isOutdated } = check
  const [isEditing, setEditing] = useState(false)
  if (item === null || isEditing)
    return (
      <CheckField
        initial={command || check.remembered}
        disabledReason={disabledReason}
        onRun={(typed) => {
          setEditing(false)
          check.run(typed)
        }}
        onCancel={item === null ? null : () => setEditing(false)}
      />
    )
  const isRunning = item.kind === 'preparing' || item.kind === 'running'
  return (
    <>
      <div className={styles.check}>
        <p className={styles.checked}>
          <span className="soft">Before signing</span> <code>{command}</code> in a copy of the result: <Outcome item={item} />
          {isOutdated && !isRunning && <span className="soft">, for what you had chosen then</span>}
        </p>
        {isRunning ? (
          <Button small variant="quiet" className="push" onPress={check.stop}>
            Stop
          </Button>
        ) : (
          <>
            <Button small variant="quiet" className="push" disabledReason={disabledReason} onPress={() => check.run(command)}>
              Run again
            </Button>
            <Button small variant="quiet" onPress={() => setEditing(true)}>
              Another check
            </Button>
          </>
        )}
      </div>
      {item.kind === 'ended' && !item.passed && <Output text={item.tail} />}
      {item.kind === 'running' && item.tail !== '' && <Output text={item.tail} />}
      {item.kind === 'failed' && <ErrorNotice happened={item.trouble.what} kept={item.trouble.kept} todo={item.trouble.todo} />}
      <LiveRegion message={item.kind === 'ended' ? `The check ${item.passed ? 'passed' : 'failed'}` : ''} />
    </>
  )
}

function Output({ text }: { readonly text: string }): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable areas must be reachable by keyboard
    <pre className={styles.output} tabIndex={0} aria-label="Output of the check">
      {text.trimEnd() || 'It wrote nothing.'}
    </pre>
  )
}

function Outcome({ item }: { readonly item: CheckItem }): ReactNode {
  switch (item.kind) {
    case 'preparing':
      return 'the copy is being made…'
    case 'running':
      return 'running…'
    case 'failed':
      return 'not run'
    case 'ended':
      return (
        <>
          <span className={item.passed ? 'ok' : 'fail'}>{item.passed ? 'passed' : 'failed'}</span>, {item.passed ? '' : `${item.why}, `}
          {span(item.durationMs)}
        </>
      )
    default:
      return assertNever(item, 'check')
  }
}

interface CheckFieldProps {
  readonly initial: string
  readonly disabledReason: string | null
  readonly onRun: (command: string) => void
  /** Null if there is nothing to go back to. */
  readonly onCancel: (() => void) | null
}

function CheckField({ initial, disabledReason, onRun, onCancel }: CheckFieldProps): ReactNode {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  // What was remembered may arrive after the first drawing.
  const text = typed ?? initial
  const whyNot = text.trim() === '' ? 'Type a command first, such as npm test.' : disabledReason
  return (
    <form
      className={styles.check}
      onSubmit={(event) => {
        event.preventDefault()
        if (whyNot === null) onRun(text.trim())
      }}
    >
      <label className="soft" htmlFor={id}>
        Before signing, run in a copy of the result
      </label>
      <input
        id={id}
        className={styles.command}
        value={text}
        placeholder="npm test"
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button small disabledReason={whyNot} onPress={() => onRun(text.trim())}>
        Check
      </Button>
      {onCancel && (
        <Button small variant="quiet" onPress={onCancel}>
          Cancel
        </Button>
      )}
    </form>
  )
}
