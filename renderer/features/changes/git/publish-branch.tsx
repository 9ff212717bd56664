import { type ReactNode, useState } from 'react'
import type { GitRepository } from '../../../../shared/api/changes/git.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { focusWhenThere } from '../../../state/commands/focus-when-there.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Menu } from '../../../ui/controls/menu.tsx'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { prepareTerminals } from '../../../ui/terminal/terminal-view.tsx'
import { pushCommand } from './git-files.ts'
import styles from '../changes.module.css'

export interface PublishBranchProps {
  readonly sessionId: SessionId
  readonly repository: GitRepository
  /** Shows the publish pane. */
  readonly onPublish: () => void
}

/** Publishes the branch in the publish pane, or with commands that are typed into the user's own terminal for the user to run. */
export function PublishBranch({ sessionId, repository: { branch, upstream }, onPublish }: PublishBranchProps): ReactNode {
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
        <Button small onPress={onPublish}>
          Push and pull request…
        </Button>
        <Menu
          label="In a terminal"
          trigger={{
            variant: 'quiet',
            small: true,
            children: 'In a terminal…',
            tip: 'Types the command into your own terminal',
            disabledReason,
          }}
          entries={[push, PULL_REQUEST].map((words) => ({ kind: 'item', id: words, label: words, onSelect: () => void type(words) }))}
        />
      </div>
      {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
    </div>
  )
}

const PULL_REQUEST = 'gh pr create --fill'
