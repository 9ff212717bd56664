import { ArrowLeft, GitBranch } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { GitRepository } from '../../../../shared/api/changes/git.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { counted } from '../../../ui/format.ts'
import { Pane, PaneHead, PaneScroll } from '../../../ui/frame/panes/pane.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { EmptyState } from '../../../ui/notices/empty-state.tsx'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import type { GitWork } from '../git/use-git.ts'
import { NewPullRequest } from './new-pull-request.tsx'
import styles from './publish.module.css'
import { PullRequestView } from './pull-request-view.tsx'
import { usePullRequest } from './use-pull-request.ts'

export interface PublishPaneProps {
  readonly sessionId: SessionId
  readonly git: GitWork
  readonly onClose: () => void
}

/** Publishes the branch: pushes it, opens its pull request, and shows the checks and the comments of reviewers. */
export function PublishPane({ sessionId, git, onClose }: PublishPaneProps): ReactNode {
  const desk = useDesk()
  const { state, reload } = usePullRequest(sessionId)
  const [isPushing, setPushing] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const repository = git.status?.kind === 'repository' ? git.status : null
  const branch = repository?.branch ?? null
  const push = async (): Promise<void> => {
    setPushing(true)
    setTrouble(await attemptRequest(desk, 'Nothing was pushed', (client) => client.publish.push({ sessionId })))
    git.reload()
    await reload()
    setPushing(false)
  }
  return (
    <Pane kind="work" label="Publish">
      <PaneHead
        lead={
          <Button variant="quiet" small icon={ArrowLeft} onPress={onClose}>
            Difference
          </Button>
        }
        title={
          branch !== null && (
            <span className={styles.branch}>
              <Icon glyph={GitBranch} size={14} />
              {branch}
            </span>
          )
        }
        aside={repository && ahead(repository)}
        end={
          <Button
            small
            busy={isPushing}
            busyWord="Pushing"
            disabledReason={repository && whyNotPush(repository)}
            onPress={() => void push()}
          >
            Push
          </Button>
        }
      />
      <PaneScroll label="Pull request">
        <div className={styles.page}>
          {trouble && <ErrorNotice framed happened={<pre>{trouble.what}</pre>} kept={trouble.kept} todo={trouble.todo} />}
          {state === null && <EmptyState>Reading the pull request…</EmptyState>}
          {state?.kind === 'no_program' && (
            <EmptyState>Neither gh nor glab is installed. With one of them, pull requests are opened and followed here.</EmptyState>
          )}
          {state?.kind === 'failed' && (
            <ErrorNotice framed happened={<pre>{state.trouble.what}</pre>} kept={state.trouble.kept} todo={state.trouble.todo} />
          )}
          {state?.kind === 'none' && <NewPullRequest sessionId={sessionId} repository={repository} onOpened={reload} />}
          {state?.kind === 'found' && <PullRequestView sessionId={sessionId} request={state.request} top={repository?.top ?? ''} />}
        </div>
      </PaneScroll>
    </Pane>
  )
}

function ahead({ ahead: count, behind, upstream }: GitRepository): string {
  if (upstream === null) return 'not pushed yet'
  if (count === 0 && behind === 0) return `all pushed to ${upstream}`
  const parts = [count > 0 && `${counted(count, 'commit')} ahead of`, behind > 0 && `${behind} behind`].filter(Boolean)
  return `${parts.join(', ')} ${upstream}`
}

function whyNotPush({ branch, upstream, ahead: count }: GitRepository): string | null {
  if (branch === null) return 'No branch is checked out'
  return upstream !== null && count === 0 ? 'Everything is pushed' : null
}
