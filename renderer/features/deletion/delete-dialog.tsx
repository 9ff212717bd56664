import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Weight } from '../../../shared/api/storage.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { attemptRequest } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { byteSize, counted } from '../../ui/format.ts'
import { Dialog } from '../../ui/frame/dialogs/overlay.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { Facts } from '../../ui/notices/facts.tsx'

/** Asks whether to delete sessions permanently, and says first what is freed and what is kept. */
export function DeleteDialog({ sessionIds }: { readonly sessionIds: readonly SessionId[] }): ReactNode {
  const desk = useDesk()
  const [weight, setWeight] = useState<Weight | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const [hasChanged, setChanged] = useState(false)
  const title = useStore(desk.list, ({ sessions }) => sessions.get(sessionIds[0] ?? ('' as SessionId))?.title ?? '')
  const close = (): void => desk.view.setState(({ overlay }) => ({ overlay: overlay?.kind === 'delete' ? null : overlay }))
  useEffect(() => {
    let isCurrent = true
    void attemptRequest(desk, 'The session was not measured', async (client) => {
      const found = await client.storage.weigh({ sessionIds: [...sessionIds] })
      if (found.ok && isCurrent) setWeight(found.weight)
      return found
    }).then((failed) => isCurrent && setTrouble(failed))
    return () => {
      isCurrent = false
    }
  }, [desk, sessionIds])
  const remove = async (shown: Weight): Promise<void> => {
    setDeleting(true)
    const failed = await attemptRequest(desk, 'Nothing was deleted', async (client) => {
      const outcome = await client.storage.delete({ sessionIds: [...sessionIds], shown })
      if (outcome.kind === 'refused') return { ok: false, trouble: outcome.trouble }
      if (outcome.kind === 'deleted') {
        desk.view.setState(({ sessionId }) => ({ sessionId: sessionId !== null && sessionIds.includes(sessionId) ? null : sessionId }))
        close()
      } else {
        setWeight(outcome.weight)
        setChanged(true)
      }
      return { ok: true }
    })
    setTrouble(failed)
    setDeleting(false)
  }
  const what = sessionIds.length === 1 ? (title ? `“${title}”` : 'this session') : counted(sessionIds.length, 'session')
  return (
    <Dialog
      label="Delete sessions"
      onClose={close}
      buttons={
        <>
          <Button onPress={close}>Keep it</Button>
          <Button
            busy={isDeleting}
            busyWord="Deleting"
            disabledReason={weight ? null : 'Measuring'}
            onPress={() => weight && void remove(weight)}
          >
            {weight ? `Delete ${exact(weight.events + weight.blobs)}` : 'Delete'}
          </Button>
        </>
      }
    >
      <h2 className="doc-title">Delete {what}?</h2>
      <p className="soft">
        Its messages, outputs and stored file contents are deleted for good, with those of its subagents. The files of your project are
        kept. What a session beside its folder did not bring in goes into the bin (Settings, Storage).
      </p>
      {weight ? <Facts facts={factsOf(weight)} /> : !trouble && <p role="status">Measuring…</p>}
      {hasChanged && <p role="status">The session has changed. These are the new sizes.</p>}
      {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
    </Dialog>
  )
}

const exact = (bytes: number): string => `${bytes.toLocaleString('en-US')} bytes`

function factsOf({ events, blobs, shared }: Weight): readonly { readonly term: string; readonly fact: string }[] {
  return [
    { term: 'History', fact: `${byteSize(events)} (${exact(events)})` },
    { term: 'Stored contents', fact: `${byteSize(blobs)} (${exact(blobs)})` },
    ...(shared > 0 ? [{ term: 'Stays', fact: `${byteSize(shared)}, because other sessions need it` }] : []),
  ]
}
