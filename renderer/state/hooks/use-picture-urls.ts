import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Picture } from '../../../shared/session/picture.ts'
import { useDesk } from '../desk-context.ts'

/** Addresses of these pictures by their hash: absent until it is known, null where there is no such picture any more. */
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
        // asked again when the connection is back
        () => {},
      )
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `wanted` says which pictures they are
  }, [desk, sessionId, wanted, isOpen])
  return urls
}
