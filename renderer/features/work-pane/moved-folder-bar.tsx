import { FolderOpen } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { MovedFile } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showTab } from '../../state/commands/actions.ts'
import { isBesideFolder, takeOver } from '../../state/commands/layer-actions.ts'
import { useDesk, useOfflineReason, useSession } from '../../state/desk-context.ts'
import { useMovedFolder } from '../../state/hooks/changes/use-moved-folder.ts'
import { Button } from '../../ui/controls/button.tsx'
import { counted } from '../../ui/format.ts'
import { PaneHead } from '../../ui/frame/panes/pane.tsx'
import { Icon } from '../../ui/marks/icon.tsx'

/** Says how many files have changed in the folder since the layer of a session beside it was made. Shown only while there are any. */
export function MovedFolderBar({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const isBeside = useSession(sessionId, ({ config }) => isBesideFolder(config), false)
  const isIdle = useSession(sessionId, ({ run }) => run === 'IDLE', false)
  const offline = useOfflineReason()
  const { moved, look } = useMovedFolder(isBeside ? sessionId : null, isIdle)
  const [left, setLeft] = useState<readonly string[]>([])
  if (moved === null || moved.files.length === 0) return null
  const isInConflict = moved.files.every(({ path }) => left.includes(path))
  const here = moved.files.filter(({ isInLayer }) => isInLayer).length
  return (
    <PaneHead
      level="bar"
      lead={<Icon glyph={FolderOpen} />}
      title={`${counted(moved.files.length, 'file')} changed in the folder since`}
      aside={asideOf(moved.files.length, here, isInConflict)}
      end={
        <>
          <Button variant="quiet" small onPress={() => showTab(desk, 'changes')}>
            Show
          </Button>
          {!isInConflict && (
            <Button
              small
              disabledReason={offline ?? (isIdle ? null : 'The session is still working in its layer.')}
              onPress={() =>
                void takeOver(desk, sessionId)
                  .then(look)
                  .then((after) => setLeft(pathsOf(after?.files ?? [])))
              }
            >
              Take {moved.files.length === 1 ? 'it' : 'them'} into the layer
            </Button>
          )}
        </>
      }
    />
  )
}

const pathsOf = (files: readonly MovedFile[]): readonly string[] => files.map(({ path }) => path)

/** `here`: how many of them the session has changed too. */
function asideOf(files: number, here: number, isInConflict: boolean): string | undefined {
  if (isInConflict) return 'in conflict, decided when you bring in'
  if (here === files) return 'and here too'
  return here === 0 ? undefined : `${here} of them here too`
}
