import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { SessionConfigured, Trouble } from '../../shared/session/events.ts'
import { checkBaseUrl } from '../providers/provider-registry.ts'

/**
 * Returns a configuration change as it will be applied. A change of provider includes the provider's own model and address, unless the
 * change sets them. An address is normalized for its provider, or rejected with a reason.
 */
export function sessionConfigurationChange(
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
  return {
    code: 'base_url',
    what,
    kept: 'The address is unchanged.',
    todo: 'Correct the address, or leave it empty to use the default address.',
  }
}

/**
 * Removes undefined fields, because optional fields of a request may be undefined while optional fields of Countersign's own types are
 * absent.
 */
export function withoutUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
