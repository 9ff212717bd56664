import { type ReactNode, useState } from 'react'
import type { GitRepository } from '../../../../shared/api/changes/git.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { focusWhenThere } from '../../../state/commands/focus-when-there.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { prepareTerminals } from '../../../ui/terminal/terminal-view.tsx'
import { pushCommand } from './git-files.ts'
import styles from '../changes.module.css'

export interface PublishBranchProps {
  readonly sessionId: SessionId
  readonly repository: GitRepository
}

/** Publishes the branch with commands that are typed into the user's own terminal. The user runs them by pressing Enter. */
export function PublishBranch({ sessionId, repository: { branch, upstream } }: PublishBranchProps): ReactNode {
  const desk = useDesk()
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [isOpening, setOpening] = useState(false)
  if (branch === null) return null
  const type = async (words: string): Promise<void> => {
    prepareTerminals()
    setOpening(true)
    const failed = await attemptRequest(desk, 'The terminal was not opened', async (client) => {
      const opened = await client.terminals.openOwn({ sessionId, words })
      if (opened.ok) focusWhenThere(`#${CSS.escape(`own-${opened.toolCallId}`)} textarea`)
      return opened
    })
    setTrouble(failed)
    setOpening(false)
  }
  const push = pushCommand(branch, upstream)
  const disabledReason = isOpening ? 'A terminal is being opened' : null
  return (
    <div className={styles.publish}>
      <div className={styles.footButtons}>
        <Button small disabledReason={disabledReason} tip={`Types ${push} into your terminal`} onPress={() => void type(push)}>
          Push…
        </Button>
        <Button
          small
          disabledReason={disabledReason}
          tip={`Types ${PULL_REQUEST} into your terminal`}
          onPress={() => void type(PULL_REQUEST)}
        >
          Pull request…
        </Button>
      </div>
      <p>Opens your terminal with the command typed in. Press Enter to run it.</p>
      {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
    </div>
  )
}

const PULL_REQUEST = 'gh pr create --fill'
