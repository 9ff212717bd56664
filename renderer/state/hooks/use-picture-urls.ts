import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Picture } from '../../../shared/session/content.ts'
import { useDesk } from '../desk-context.ts'

/** URLs of pictures by hash: absent while loading, null when the picture no longer exists. */
export function usePictureUrls(sessionId: SessionId, pictures: readonly Picture[]): ReadonlyMap<string, string | null> {
  const desk = useDesk()
  const isOpen = useStore(desk.connection.state, ({ kind }) => kind === 'open')
  const [urls, setUrls] = useState<ReadonlyMap<string, string | null>>(new Map())
  const wanted = pictures.map(({ hash }) => hash).join()
  useEffect(() => {
    let isOver = false
    for (const { hash } of pictures)
      void desk.pictureUrls.get(sessionId, hash).then(
        (url) => !isOver && setUrls((known) => (known.get(hash) === url ? known : new Map(known).set(hash, url))),
        // requested again after a reconnection
        () => {},
      )
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `wanted` says which pictures they are
  }, [desk, sessionId, wanted, isOpen])
  return urls
}
