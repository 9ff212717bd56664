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
  const sources = pictures.map((_, index): PictureSource => ({ kind: 'result', toolCallId, index }))
  const urls = usePictureUrls(sessionId, sources)
  if (pictures.length === 0) return null
  const ids = sources.map(pictureName)
  return (
    <PictureRow
      label="Pictures of this result"
      size="large"
      gone="cannot be shown: it is damaged or too large"
      pictures={pictures.map((picture, index) => ({ id: ids[index] ?? '', facts: pictureFacts(picture), url: urls.get(ids[index] ?? '') }))}
      onOpen={(id) => {
        const source = sources[ids.indexOf(id)]
        if (source) showPicture(desk, sessionId, source)
      }}
    />
  )
}
