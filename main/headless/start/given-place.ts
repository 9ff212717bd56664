import { join } from 'node:path'
import { parseAddress, placeName } from '../../../shared/places/address.ts'
import { ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { codeOf } from '../../environment/environment-failure.ts'
import { CACHE } from '../../places/probe.ts'
import type { MayInstall } from '../../places/reach.ts'
import { RULES_FILE, type TrustedThere } from '../../rules/project-rules.ts'
import type { Workspaces } from '../../workspace/workspaces.ts'
import { complain } from '../report/standard-output.ts'

/** Maximum size of the rules file in bytes. */
const MAX_BYTES = 1024 * 1024

/** Reports the installation without asking, because the user named the machine with `--place`. */
export const announceInstall: MayInstall = ({ place, parts }) => {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  complain(`Installing ${Math.ceil(bytes / 1_000_000)} MB of Countersign’s code in ~/${CACHE} on ${placeName(place)}, once.\n`)
  return Promise.resolve(true)
}

/** Connects to the machine of `--place` and reads the project's rules, which a headless run trusts without asking. */
export async function placeTrusted(workspaces: Workspaces, typed: string): Promise<Result<TrustedThere, Trouble>> {
  const found = await workspaces.find(typed)
  if (!found.ok) return found
  const address = found.value
  const env = await workspaces.reading(address)
  const path = join(parseAddress(address).folder, RULES_FILE)
  const rules = await env.readBytes(path, { maxBytes: MAX_BYTES }).then(
    (bytes) => Buffer.from(bytes).toString('utf8'),
    (error: unknown) => (codeOf(error) === 'ENOENT' ? undefined : null),
  )
  return ok({ address, rules })
}
