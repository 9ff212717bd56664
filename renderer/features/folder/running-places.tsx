import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { RunningPlace } from '../../../shared/places/running-place.ts'
import { attemptRequest } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { byteSize, shortAge } from '../../ui/format.ts'
import { BusyRing } from '../../ui/marks/dot.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import type { Trouble } from '../../../shared/session/events.ts'
import styles from './places.module.css'

/** What Countersign has on other machines, with ages, and how to end it. */
export function RunningPlaces(): ReactNode {
  const desk = useDesk()
  const { places, read } = useRunningPlaces()
  const [ending, setEnding] = useState<string | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const end = async (place: string, uninstalls: boolean): Promise<void> => {
    setEnding(place)
    const ended = attemptRequest(desk, `${place} was not ended`, async (client) => {
      const stopped = await client.places.stop({ place, uninstalls })
      return stopped.ok ? { ok: true } : { ok: false, trouble: stopped.failure }
    })
    setTrouble(await ended)
    setEnding(null)
    read()
  }
  if (places === null)
    return (
      <p className={styles.none}>
        <BusyRing /> Asking the machines what Countersign has there
      </p>
    )
  if (places.length === 0) return null
  return (
    <section className={styles.body} aria-label="On other machines now">
      <h3 className="strong">On other machines now</h3>
      {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      {places.map((one) => (
        <div key={one.place} className={styles.running}>
          <div className={styles.what}>
            <p className="clip">{one.place}</p>
            <p className="meta clip">{wordsOf(one)}</p>
          </div>
          <Button small busy={ending === one.place} busyWord="Ending" onPress={() => void end(one.place, false)}>
            End
          </Button>
          <Button small variant="quiet" disabledReason={ending === null ? null : 'Ending'} onPress={() => void end(one.place, true)}>
            Remove all
          </Button>
        </div>
      ))}
    </section>
  )
}

function wordsOf(one: RunningPlace): string {
  if (one.kind === 'made') {
    const state = one.why ?? `runs for ${shortAge(one.since, Date.now())}`
    return `${state}, from ${one.from} for ${one.folder}`
  }
  if (!one.isReached) return 'not reached without asking you'
  const installed = `${byteSize(one.bytes)} installed`
  return one.since === null ? installed : `runs for ${shortAge(one.since, Date.now())}, ${installed}`
}

/** Null while the machines are being asked. */
function useRunningPlaces(): { readonly places: readonly RunningPlace[] | null; read(): void } {
  const desk = useDesk()
  const [places, setPlaces] = useState<readonly RunningPlace[] | null>(null)
  const read = useCallback(() => {
    desk.connection.client?.places.running({}).then(
      (found) => setPlaces(found.places),
      () => setPlaces([]),
    )
  }, [desk])
  useEffect(read, [read])
  return { places, read }
}
