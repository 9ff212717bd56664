import { useEffect, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk, useIsConnected } from '../desk-context.ts'
import { pictureName, type PictureSource } from '../stores/blob-cache.ts'

/** URLs of pictures by `pictureName`. Absent while loading. Null if there is no such picture or it cannot be shown. */
export function usePictureUrls(sessionId: SessionId, pictures: readonly PictureSource[]): ReadonlyMap<string, string | null> {
  const desk = useDesk()
  const isOpen = useIsConnected()
  const [urls, setUrls] = useState<ReadonlyMap<string, string | null>>(new Map())
  const wanted = pictures.map(pictureName).join()
  useEffect(() => {
    let isOver = false
    for (const picture of pictures) {
      const name = pictureName(picture)
      void desk.pictureUrls.get(sessionId, picture).then(
        (url) => !isOver && setUrls((known) => (known.get(name) === url ? known : new Map(known).set(name, url))),
        // A failure is ignored here, because the pictures are requested again after a reconnection.
        () => {},
      )
    }
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `wanted` says which pictures they are
  }, [desk, sessionId, wanted, isOpen])
  return urls
}
