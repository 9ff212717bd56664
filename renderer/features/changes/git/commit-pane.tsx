import { type ReactNode, useMemo, useState } from 'react'
import type { GitRepository } from '../../../../shared/api/changes/git.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { messageAsTyped } from '../../../../shared/session/person-message.ts'
import type { SessionState } from '../../../../shared/session/state.ts'
import { useSession } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import { counted } from '../../../ui/format.ts'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import styles from '../changes.module.css'
import type { SeenCount } from '../seen-hunks.ts'
import { useModelDraft } from '../publish/use-model-draft.ts'
import { proposedCommitMessage } from './proposed-commit-message.ts'
import { PublishBranch } from './publish-branch.tsx'
import type { GitWork } from './use-git.ts'

export interface CommitPaneProps {
  readonly sessionId: SessionId
  readonly repository: GitRepository
  readonly git: GitWork
  /** How many hunks of the session were seen. */
  readonly seen: SeenCount
  readonly onPublish: () => void
}

/** Branch, message and the button that commits what is staged. */
export function CommitPane({ sessionId, repository, git, seen, onPublish }: CommitPaneProps): ReactNode {
  const title = useSession(sessionId, (session) => session.title, '')
  const request = useSession(sessionId, newestRequest, null)
  const { staged } = repository
  const proposed = useMemo(() => proposedCommitMessage({ title, request, files: staged.map(({ path }) => path) }), [title, request, staged])
  const [written, setWritten] = useState<string | null>(null)
  const { isDrafting, trouble: undrafted, draft } = useModelDraft(sessionId, 'commit', written, setWritten)
  const message = written ?? (staged.length === 0 ? '' : proposed)
  const nothing = git.committed === null ? 'Nothing is staged' : `Committed ${git.committed}`
  const why = staged.length === 0 ? nothing : message.trim() === '' ? 'Write a message first' : null
  const left = seen.all - seen.seen
  const commit = (): void =>
    void git.commit(message).then((isDone) => {
      // What was typed during the commit is for the next one.
      if (isDone) setWritten((now) => (now === written ? null : now))
    })
  return (
    <div className={styles.commit}>
      <p className="soft">
        {repository.branch === null ? (
          'No branch is checked out'
        ) : (
          <>
            On branch <code>{repository.branch}</code>
          </>
        )}
        <Ahead repository={repository} />
      </p>
      {git.trouble && <ErrorNotice happened={<pre>{git.trouble.what}</pre>} kept={git.trouble.kept} todo={git.trouble.todo} />}
      <Field label="Commit message" value={message} rows={4} mono onChange={setWritten} whileEmpty="Stage something, then describe it" />
      <div className={styles.footButtons}>
        <Button busy={git.isBusy} busyWord="Committing" disabledReason={why} onPress={commit}>
          Commit
        </Button>
        <Button
          variant="quiet"
          small
          busy={isDrafting}
          busyWord="Drafting"
          tip="Sends what is staged to the model of this session"
          disabledReason={staged.length === 0 ? 'Nothing is staged' : null}
          onPress={() => void draft()}
        >
          Draft with the model
        </Button>
        {written !== null && (
          <Button variant="quiet" small onPress={() => setWritten(null)}>
            Use the proposal
          </Button>
        )}
      </div>
      <p role="status">
        {git.committed !== null && staged.length > 0 && `Committed ${git.committed}. `}
        {why === null ? `${counted(staged.length, 'staged file')}.` : `${why}.`}
        {left > 0 && ` ${counted(left, 'hunk')} of this session not seen yet.`}
      </p>
      {undrafted && <ErrorNotice happened={undrafted.what} kept={undrafted.kept} todo={undrafted.todo} />}
      <PublishBranch sessionId={sessionId} repository={repository} onPublish={onPublish} />
    </div>
  )
}

function Ahead({ repository: { ahead, behind, upstream } }: { readonly repository: GitRepository }): ReactNode {
  if (upstream === null || (ahead === 0 && behind === 0)) return null
  const parts = [ahead > 0 && `${ahead} ahead of`, behind > 0 && `${behind} behind`].filter(Boolean)
  return (
    <span className="meta">
      {' '}
      {parts.join(', ')} {upstream}
    </span>
  )
}

function newestRequest({ items }: SessionState): string | null {
  const item = items.findLast((one) => one.kind === 'user')
  return item?.kind === 'user' ? messageAsTyped(item) : null
}
