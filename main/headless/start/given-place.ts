import { join } from 'node:path'
import { parseAddress, placeName } from '../../../shared/places/address.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { parseNewPlace, sessionIdOf } from '../../../shared/places/new-place.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { codeOf } from '../../environment/environment-failure.ts'
import { CACHE } from '../../places/probe.ts'
import type { App } from '../../compose/app.ts'
import type { Places } from '../../places/places.ts'
import type { MayInstall } from '../../places/reach.ts'
import { RULES_FILE, type TrustedThere } from '../../rules/project-rules.ts'
import type { Workspaces } from '../../workspace/workspaces.ts'
import { complain, sentences } from '../report/standard-output.ts'

/** Maximum size of each of these files in bytes. */
const MAX_BYTES = 1024 * 1024

/** Reports the installation without asking, because the user named the machine with `--place`. */
export const announceInstall: MayInstall = ({ place, parts }) => {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  complain(`Installing ${Math.ceil(bytes / 1_000_000)} MB of Countersign’s code in ~/${CACHE} on ${placeName(place)}, once.\n`)
  return Promise.resolve(true)
}

/** The place of a run. `made`: the name of the container or pod if Countersign makes it, or made it earlier. Null for any other machine. */
interface GivenPlace {
  readonly address: string
  readonly made: string | null
}

/**
 * Finds the place that `--place` names. If that is a new place, plans one for the folder `cwd` of this computer. A stored session continues in
 * the newest place that was made for its folder.
 */
export async function givenPlace(places: Places, typed: string, cwd: string, isStored: boolean): Promise<Result<GivenPlace, Trouble>> {
  const made = await places.made()
  if (parseNewPlace(typed) === null) {
    const { place } = parseAddress(typed)
    return ok({ address: typed, made: (place && made.recordOf(place)?.name) ?? null })
  }
  const known = isStored ? made.records().findLast(({ folder }) => folder === cwd) : undefined
  if (isStored && known === undefined) return failed(noMadePlace(cwd))
  const planned = known ? ok(known) : await made.plan(typed, cwd)
  if (!planned.ok) return planned
  const { name, from, address } = planned.value
  complain(`Working in ${address}, made from ${from} for ${cwd}.\n`)
  return ok({ address, made: name })
}

/** Ends the container or pod of this run, because nobody uses it after the run. Changes in a pod are fetched first. */
export async function endPlace({ sessions, workspaces, places, store }: App, name: string): Promise<void> {
  // Programs can exit properly only while the place still runs.
  await sessions.closeAll()
  await workspaces.closeAll()
  const made = await places.made()
  const record = made.records().find((one) => one.name === name)
  if (record === undefined) return
  const isUsed = store.sessions.get(sessionIdOf(name)) !== null
  if (isUsed && made.keptOf(record) !== null) {
    try {
      await made.fetch(record)
    } catch (error) {
      return complain(sentences(notFetched(record.address, error instanceof Error ? error.message : String(error))))
    }
    complain(`The changes are kept on this computer. To sign them: --cwd ${record.folder} bring-in ${sessionIdOf(name)}\n`)
  }
  const ended = await made.stop(name, !isUsed)
  if (!ended.ok) complain(sentences(ended.failure))
}

const notFetched = (address: string, why: string): Trouble => ({
  code: 'not_fetched',
  what: `The changes in ${address} could not be fetched. ${why}`,
  kept: 'The place keeps running, with its changes, until its lease ends.',
  todo: `Try again with --place ${address} --continue, or end the place with places stop ${address}`,
})

const noMadePlace = (folder: string): Trouble => ({
  code: 'no_such_place',
  what: `No container and no pod was made for ${folder}.`,
  kept: 'Nothing was made.',
  todo: 'Leave out --continue and --resume, or give the address of another place. places list shows them.',
})

/** Connects to the machine of `--place` and reads the project's rules and MCP servers, which a headless run trusts without asking. */
export async function placeTrusted(workspaces: Workspaces, typed: string): Promise<Result<TrustedThere, Trouble>> {
  const found = await workspaces.find(typed)
  if (!found.ok) return found
  const address = found.value
  const env = await workspaces.reading(address)
  const textOf = (name: string): Promise<string | null | undefined> =>
    env.readBytes(join(parseAddress(address).folder, name), { maxBytes: MAX_BYTES }).then(
      (bytes) => Buffer.from(bytes).toString('utf8'),
      (error: unknown) => (codeOf(error) === 'ENOENT' ? undefined : null),
    )
  const [rules, servers] = await Promise.all([textOf(RULES_FILE), textOf('.mcp.json')])
  return ok({ address, rules, servers })
}
