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

/** The pictures of a result, large enough to be legible. Renders nothing if the result has none. */
export function ResultPictures({ call: { toolCallId, pictures = [] }, sessionId }: ResultPicturesProps): ReactNode {
  const desk = useDesk()
  const shown = pictures.map((picture, index) => {
    const source: PictureSource = { kind: 'result', toolCallId, index }
    return { source, id: pictureName(source), facts: pictureFacts(picture) }
  })
  const urls = usePictureUrls(
    sessionId,
    shown.map(({ source }) => source),
  )
  if (shown.length === 0) return null
  return (
    <PictureRow
      label="Pictures in this result"
      size="large"
      gone="cannot be shown: it is damaged or too large"
      pictures={shown.map(({ id, facts }) => ({ id, facts, url: urls.get(id) }))}
      onOpen={(pressed) => {
        const picture = shown.find(({ id }) => id === pressed)
        if (picture) showPicture(desk, sessionId, picture.source)
      }}
    />
  )
}
