import { useEffect, useRef, useState } from 'react'
import { isFar } from '../../../shared/places/address.ts'
import type { ConnectItem } from '../../../shared/places/places-api.ts'
import type { Desk } from '../../state/desk.ts'
import { useDesk } from '../../state/desk-context.ts'

export interface Connection {
  /** The chosen machine, as an address without a folder. Null before the choice. */
  readonly place: string | null
  readonly item: ConnectItem | null
  /** Connects to a machine. An attempt in progress is given up. */
  connect(place: string): void
  /** Answers the open question. Null refuses it. */
  answer(id: string, text: string | null): void
}

const LOST: ConnectItem = {
  kind: 'failed',
  trouble: {
    code: 'not_connected',
    what: 'Countersign itself does not answer, so no connection was made.',
    kept: 'Nothing was opened or changed.',
    todo: 'Try again in a moment.',
  },
}

/** The folder of this computer in which the shown session works. Null if it works elsewhere or none is shown. */
function localFolder(desk: Desk): string | null {
  const { sessionId } = desk.view.getState()
  const folder = sessionId === null ? undefined : desk.list.getState().sessions.get(sessionId)?.folder
  return folder === undefined || isFar(folder) ? null : folder
}

/** The connection to the machine that is chosen in the dialog. Closing the dialog gives up an attempt in progress. */
export function useConnection(): Connection {
  const desk = useDesk()
  const [place, setPlace] = useState<string | null>(null)
  const [item, setItem] = useState<ConnectItem | null>(null)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const follow = async (wanted: string, signal: AbortSignal): Promise<void> => {
    const show = (next: ConnectItem): void => {
      if (!signal.aborted) setItem(next)
    }
    show({ kind: 'connecting' })
    try {
      const items = desk.connection.client?.places.connect({ place: wanted, folder: localFolder(desk) }, signal)
      if (!items) return show(LOST)
      for await (const next of items) show(next)
    } catch {
      show(LOST)
    }
  }
  return {
    place,
    item,
    connect(wanted) {
      stop.current?.abort()
      stop.current = new AbortController()
      setPlace(wanted)
      void follow(wanted, stop.current.signal)
    },
    answer(id, text) {
      // The result arrives as the next item.
      desk.connection.client?.places.answer({ id, text }).catch(() => setItem(LOST))
    },
  }
}
