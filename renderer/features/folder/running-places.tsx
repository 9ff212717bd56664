import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { RunningPlace } from '../../../shared/places/running-place.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { attemptRequest } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { byteSize, duration } from '../../ui/format.ts'
import { BusyRing } from '../../ui/marks/dot.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { foreign } from '../../ui/text/exact-text.tsx'
import styles from './places.module.css'

/** Lists what Countersign has on other machines and since when, with buttons that end it. */
export function RunningPlaces(): ReactNode {
  const { places, trouble, ending, end } = useRunningPlaces()
  if (places === null)
    return (
      <p className={styles.none}>
        <BusyRing /> Checking what Countersign has on other machines
      </p>
    )
  if (places.length === 0 && trouble === null) return null
  return (
    <section className={styles.body} aria-label="On other machines now">
      <h3 className="strong">On other machines now</h3>
      {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      {places.map((one) => (
        <PlaceRow key={one.place} one={one} ending={ending} end={end} />
      ))}
    </section>
  )
}

interface PlaceRowProps extends Pick<EndedPlaces, 'ending' | 'end'> {
  readonly one: RunningPlace
}

function PlaceRow({ one, ending, end }: PlaceRowProps): ReactNode {
  const { place } = one
  const [isRemoving, setRemoving] = useState(false)
  const otherReason = ending === null || ending === place ? null : 'Another one is being ended'
  const remove = (): void => {
    setRemoving(false)
    end(place, true)
  }
  return (
    <div className={styles.running}>
      <div className={styles.what}>
        <p className="clip">{place}</p>
        <p className="meta">{isRemoving ? 'Changes there that were not brought in are deleted too.' : foreign(wordsOf(one))}</p>
      </div>
      {isRemoving ? (
        <>
          <Button small label={`Remove all: ${place}`} onPress={remove}>
            Remove all
          </Button>
          {/* In the place of the button that asked, so that a double click removes nothing. */}
          <Button small variant="quiet" label={`Keep ${place}`} onPress={() => setRemoving(false)}>
            Keep
          </Button>
        </>
      ) : (
        <>
          <Button
            small
            label={`End ${place}`}
            busy={ending === place}
            busyWord="Ending"
            disabledReason={otherReason}
            onPress={() => end(place, false)}
          >
            End
          </Button>
          <Button
            small
            variant="quiet"
            label={`Remove all: ${place}`}
            disabledReason={ending === null ? null : 'Ending'}
            onPress={() => setRemoving(true)}
          >
            Remove all…
          </Button>
        </>
      )}
    </div>
  )
}

function wordsOf(one: RunningPlace): string {
  const runs = (since: number): string => `running for ${duration(Date.now() - since)}`
  if (one.kind === 'made') {
    const origin = `${one.from} for ${one.folder}`
    return one.why === null ? `${origin}, ${runs(one.since)}` : `${origin}. ${one.why}`
  }
  if (!one.isReached) return 'could not be reached without asking you'
  const installed = `${byteSize(one.bytes)} installed`
  return one.since === null ? installed : `${runs(one.since)}, ${installed}`
}

interface EndedPlaces {
  /** Null while the machines are being asked. */
  readonly places: readonly RunningPlace[] | null
  /** Why something was not ended, or why nothing could be listed. */
  readonly trouble: Trouble | null
  /** The address of the place that is being ended. */
  readonly ending: string | null
  readonly end: (place: string, uninstalls: boolean) => void
}

function useRunningPlaces(): EndedPlaces {
  const desk = useDesk()
  const [places, setPlaces] = useState<readonly RunningPlace[] | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [ending, setEnding] = useState<string | null>(null)
  const read = useCallback(async (): Promise<void> => {
    let found: readonly RunningPlace[] = []
    const failed = await attemptRequest(desk, 'The other machines were not checked', async (client) => {
      found = (await client.places.running({})).places
      return { ok: true }
    })
    setPlaces(found)
    if (failed) setTrouble(failed)
  }, [desk])
  const end = async (place: string, uninstalls: boolean): Promise<void> => {
    setEnding(place)
    const ended = attemptRequest(desk, `${place} was not ended`, async (client) => {
      const stopped = await client.places.stop({ place, uninstalls })
      return stopped.ok ? { ok: true } : { ok: false, trouble: stopped.failure }
    })
    setTrouble(await ended)
    setEnding(null)
    await read()
  }
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- it is set after the answer
    void read()
  }, [read])
  return { places, trouble, ending, end: (place, uninstalls) => void end(place, uninstalls) }
}
