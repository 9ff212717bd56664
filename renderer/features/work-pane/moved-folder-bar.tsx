import { FolderOpen } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { MovedFolder } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { isBesideFolder, takeOver } from '../../state/commands/layer-actions.ts'
import { useDesk, useOfflineReason, useSession } from '../../state/desk-context.ts'
import { useMovedFolder } from '../../state/hooks/changes/use-moved-folder.ts'
import { Button } from '../../ui/controls/button.tsx'
import { counted } from '../../ui/format.ts'
import { PaneHead } from '../../ui/frame/panes/pane.tsx'
import { Icon } from '../../ui/marks/icon.tsx'

/** How many names the tooltip shows. */
const NAMES = 12

/** Says how many files have changed in the folder since the layer of a session beside it was made. Shown only while there are any. */
export function MovedFolderBar({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const isBeside = useSession(sessionId, ({ config }) => isBesideFolder(config), false)
  const isIdle = useSession(sessionId, ({ run }) => run === 'IDLE', false)
  const offline = useOfflineReason()
  const { moved, look } = useMovedFolder(isBeside ? sessionId : null, isIdle)
  const [left, setLeft] = useState<readonly string[]>([])
  if (moved === null || moved.files.length === 0) return null
  const isInConflict = moved.files.every((file) => left.includes(file))
  const more = moved.files.length > NAMES ? [`and ${moved.files.length - NAMES} more`] : []
  return (
    <PaneHead
      level="bar"
      lead={<Icon glyph={FolderOpen} />}
      title={
        <span data-tip={[...moved.files.slice(0, NAMES), ...more].join('\n')}>
          {counted(moved.files.length, 'file')} changed in the folder since
        </span>
      }
      aside={asideOf(moved, isInConflict)}
      end={
        isInConflict ? undefined : (
          <Button
            small
            disabledReason={offline ?? (isIdle ? null : 'The session is still working in its layer.')}
            onPress={() =>
              void takeOver(desk, sessionId)
                .then(look)
                .then((after) => setLeft(after?.files ?? []))
            }
          >
            Take them into the layer
          </Button>
        )
      }
    />
  )
}

function asideOf({ alsoInLayer }: MovedFolder, isInConflict: boolean): string | undefined {
  if (isInConflict) return 'in conflict, decided when you bring in'
  return alsoInLayer === 0 ? undefined : `${alsoInLayer} of them here too`
}
