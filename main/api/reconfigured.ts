import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { SessionConfigured, Trouble } from '../../shared/session/events.ts'
import { checkBaseUrl } from '../providers/registry.ts'

/**
 * A change of a session's configuration as it is to be carried out. With another provider go its own model and its own address, unless the
 * change names them: those of the provider before would be nobody's. An address is brought into its provider's form, or refused with words.
 */
export function reconfigured(
  before: SessionConfigured,
  change: Partial<SessionConfigured>,
  defaults: (asked: Partial<SessionConfigured>) => SessionConfigured,
): Result<Partial<SessionConfigured>, Trouble> {
  const provider = change.provider ?? before.provider
  const moved = provider === before.provider ? change : { model: defaults({ provider }).model, baseUrl: null, ...change }
  if (!moved.baseUrl) return ok(moved)
  const checked = checkBaseUrl(provider, moved.baseUrl)
  return checked.ok ? ok({ ...moved, baseUrl: checked.value }) : failed(badUrl(checked.failure))
}

export function badUrl(what: string): Trouble {
  return { code: 'base_url', what, kept: 'The address is as it was.', todo: 'Correct it, or leave it empty for the usual one.' }
}

/** Fields that were left out stay left out: an optional field of a request is `undefined`, that of our own types is absent. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
