import { type ReactNode, useState } from 'react'
import type { GitRepository } from '../../../../shared/api/changes/git.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { useModelDraft } from './use-model-draft.ts'
import styles from './publish.module.css'

interface NewPullRequestProps {
  readonly sessionId: SessionId
  readonly repository: GitRepository | null
  readonly onOpened: () => Promise<void>
}

/** Title and description of a new pull request, drafted by the model on request, and the button that opens it. */
export function NewPullRequest({ sessionId, repository, onOpened }: NewPullRequestProps): ReactNode {
  const desk = useDesk()
  const named = useSession(sessionId, (session) => session.title, '')
  const [title, setTitle] = useState<string | null>(null)
  const [description, setDescription] = useState('')
  const [isOpening, setOpening] = useState(false)
  const [unopened, setUnopened] = useState<Trouble | null>(null)
  const shown = title ?? named
  const { isDrafting, trouble, draft } = useModelDraft(sessionId, 'pull-request', `${title ?? ''}\n${description}`, (text) => {
    const [first = '', ...rest] = text.split('\n')
    setTitle(first.trim())
    setDescription(rest.join('\n').trim())
  })
  const open = async (): Promise<void> => {
    setOpening(true)
    const failed = await attemptRequest(desk, 'The pull request was not opened', (client) =>
      client.publish.open({ sessionId, title: shown.trim(), description }),
    )
    setUnopened(failed)
    if (failed === null) await onOpened()
    setOpening(false)
  }
  const isPushed = repository !== null && repository.upstream !== null && repository.ahead === 0
  const why = !isPushed ? 'Push the branch first' : shown.trim() === '' ? 'Write a title first' : null
  return (
    <>
      <h2 className={styles.title}>New pull request</h2>
      <Field label="Title" labelShown value={shown} onChange={setTitle} />
      <Field label="Description" labelShown value={description} rows={8} onChange={setDescription} />
      <div className={styles.buttons}>
        <Button busy={isOpening} busyWord="Opening" disabledReason={why} onPress={() => void open()}>
          Open the pull request
        </Button>
        <Button variant="quiet" busy={isDrafting} busyWord="Drafting" onPress={() => void draft()}>
          Draft with the model
        </Button>
      </div>
      {[unopened, trouble].map(
        (one) => one && <ErrorNotice key={one.code} framed happened={<pre>{one.what}</pre>} kept={one.kept} todo={one.todo} />,
      )}
    </>
  )
}
