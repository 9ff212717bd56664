import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { showPicture } from '../../state/commands/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { usePictureUrls } from '../../state/hooks/use-picture-urls.ts'
import { pictureName, type PictureSource } from '../../state/stores/blob-cache.ts'
import { pictureFacts } from '../../ui/format.ts'
import { PictureRow } from '../../ui/ledger/picture-row.tsx'

export interface ResultPicturesProps {
  readonly call: CallItem
  readonly sessionId: SessionId
}

/** The pictures of a result, large enough to be looked at. Nothing if it has none. */
export function ResultPictures({ call: { toolCallId, pictures = [] }, sessionId }: ResultPicturesProps): ReactNode {
  const desk = useDesk()
  const sources = pictures.map((_, index): PictureSource => ({ kind: 'result', toolCallId, index }))
  const urls = usePictureUrls(sessionId, sources)
  if (pictures.length === 0) return null
  const rows = pictures.map((picture, index) => {
    const id = pictureName({ kind: 'result', toolCallId, index })
    return { id, facts: pictureFacts(picture), url: urls.get(id) }
  })
  return (
    <PictureRow
      label="Pictures of this result"
      size="large"
      gone="cannot be shown: it is damaged or too large"
      pictures={rows}
      onOpen={(id) => {
        const source = sources.find((one) => pictureName(one) === id)
        if (source) showPicture(desk, sessionId, source)
      }}
    />
  )
}
