import { type ReactNode, useState } from 'react'
import type { MadeBranch } from '../../../../shared/places/places-api.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { isFar } from '../../../../shared/places/address.ts'
import { folderToBringInto, ownPlaceOf } from '../../../../shared/session/settings/where.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import { counted } from '../../../ui/format.ts'
import { Dialog } from '../../../ui/frame/dialogs/overlay.tsx'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'

/** For a session in a layer or a clone: a button that makes a branch with its work in the user's repository. */
export function BranchOffer({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const folder = useSession(sessionId, ({ config, cwd }) => folderToBringInto(config, cwd), null)
  const [isOpen, setOpen] = useState(false)
  if (folder === null || isFar(folder)) return null
  return (
    <>
      <Button small variant="quiet" onPress={() => setOpen(true)}>
        Make a branch…
      </Button>
      {isOpen && <BranchDialog sessionId={sessionId} folder={folder} onClose={() => setOpen(false)} />}
    </>
  )
}

interface BranchDialogProps {
  readonly sessionId: SessionId
  readonly folder: string
  readonly onClose: () => void
}

function BranchDialog({ sessionId, folder, onClose }: BranchDialogProps): ReactNode {
  const desk = useDesk()
  const place = useSession(sessionId, ({ config }) => ownPlaceOf(config), 'layer')
  const [name, setName] = useState('')
  const [made, setMade] = useState<MadeBranch | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [isBusy, setBusy] = useState(false)
  const make = async (): Promise<void> => {
    setBusy(true)
    setTrouble(
      await attemptRequest(desk, 'No branch was made', async (client) => {
        const done = await client.places.makeBranch({ sessionId, name: name.trim() })
        if (!done.ok) return { ok: false, trouble: done.failure }
        setMade(done.value)
        return { ok: true }
      }),
    )
    setBusy(false)
  }
  return (
    <Dialog
      label="Make a branch"
      onClose={onClose}
      buttons={
        made ? (
          <Button variant="preferred" onPress={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>Cancel</Button>
            <Button
              variant="preferred"
              busy={isBusy}
              busyWord="Making"
              disabledReason={name.trim() === '' ? 'Type the name of the branch first' : null}
              onPress={() => void make()}
            >
              Make the branch
            </Button>
          </>
        )
      }
    >
      <h2 className="doc-title">Make a branch with this session’s work?</h2>
      {made ? (
        <p role="status">
          The branch <code>{made.name}</code> has {counted(made.commits, 'commit')}. Its newest one is{' '}
          <code>{made.commit.slice(0, 12)}</code>.
        </p>
      ) : (
        <>
          <p className="soft">
            The branch gets the commits from the {place}, and one commit with its uncommitted changes. Your files and the checked-out branch
            in <code>{folder}</code> stay as they are.
          </p>
          <Field
            label="Name of the branch"
            labelShown
            mono
            value={name}
            whileEmpty="fix-login"
            onChange={(typed) => {
              setName(typed)
              setTrouble(null)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && name.trim() !== '' && !isBusy) void make()
            }}
          />
        </>
      )}
      {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
    </Dialog>
  )
}
