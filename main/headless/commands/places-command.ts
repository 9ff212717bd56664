import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { sizeOnDisk } from '../../../shared/lib/short-count.ts'
import { parseAddress } from '../../../shared/places/address.ts'
import type { RunningPlace } from '../../../shared/places/running-place.ts'
import type { App } from '../../compose/app.ts'
import { runningPlaces, stopPlace } from '../../compose/session-places/running-places.ts'
import { confirmed } from '../asking/terminal-lines.ts'
import { complain, failWith } from '../report/standard-output.ts'
import { visibleLine } from '../report/visible-text.ts'
import type { CommandPlace, CommandValues, CommandWork } from './command.ts'

export function placesCommand(
  words: readonly string[],
  { json = false, yes = false, uninstall = false }: CommandValues,
): Result<CommandWork, string> {
  const [verb, address = '', ...rest] = words
  if (verb === 'list' && words.length === 1) return ok(({ withApp, write }) => withApp((app) => listed(app, json, write)))
  const { place } = parseAddress(address)
  if (verb !== 'stop' || place === null || rest.length > 0)
    return failed('Use places list, or places stop ADDRESS, with an address from the list.')
  return ok(({ withApp, write }) =>
    withApp(async (app) => {
      const what = uninstall ? `Remove everything of Countersign at ${address}?` : `End what Countersign runs at ${address}?`
      if (!yes && !(await confirmed(`${what} y or n: `))) {
        complain('Nothing was ended.\n')
        return 1
      }
      const stopped = await stopPlace(app, place, uninstall)
      if (!stopped.ok) return failWith(stopped.failure)
      write(`Ended: ${address}\n`)
      return 0
    }),
  )
}

async function listed(app: App, json: boolean, write: CommandPlace['write']): Promise<number> {
  const places = await runningPlaces(app)
  if (json) write(`${JSON.stringify({ places })}\n`)
  else write(places.length === 0 ? 'Countersign has nothing on other machines.\n' : `${places.map(rowOf).join('\n')}\n`)
  return 0
}

function rowOf(one: RunningPlace): string {
  const place = visibleLine(one.place)
  if (one.kind === 'guest') {
    if (!one.isReached) return `${place}  not reached without asking you`
    const serving = one.since === null ? 'nothing runs' : `running for ${ageOf(one.since)}`
    return `${place}  ${serving}, installed: ${sizeOnDisk(one.bytes)}`
  }
  const state = one.why === null ? `running for ${ageOf(one.since)}` : `not running: ${visibleLine(one.why)}`
  const owner = one.title === null ? 'without a session' : `“${visibleLine(one.title || 'New session')}”`
  return `${place}  ${state}  ${owner} for ${visibleLine(one.folder)}, from ${visibleLine(one.from)}`
}

function ageOf(since: number): string {
  const minutes = Math.max(0, Math.round((Date.now() - since) / 60_000))
  if (minutes < 120) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`
}
