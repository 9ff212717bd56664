import { z } from 'zod'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import { Emitter } from '../../../shared/lib/emitter.ts'
import { ok, type Result } from '../../../shared/lib/result.ts'
import { PersonPrice } from '../../../shared/session/settings/model-facts.ts'
import type { ProviderFailure } from '../../agent/ports/provider.ts'
import type { LearnedStorage } from './learned-from-refusals.ts'
import type { ListedModel } from './request-listed-models.ts'

/** A service's list of models, and the time when it was requested (ms since 1970). */
export interface ModelList {
  readonly atMs: number
  readonly models: readonly ListedModel[]
}

/** The newest model list of each service (provider and address). The lists are stored. */
export interface VendorModels {
  /** Null if the list was never requested. */
  known(service: string): ModelList | null
  /**
   * Requests the list, or returns the stored list if it is less than a day old and `refresh` is false. If the request fails, the stored
   * list is kept.
   */
  ask(
    service: string,
    ask: () => Promise<Result<readonly ListedModel[], ProviderFailure>>,
    refresh?: boolean,
  ): Promise<Result<ModelList, ProviderFailure>>
  onChange(listener: () => void): Disposable
}

const FRESH_MS = 86_400_000
const Kept = z.record(
  z.string(),
  z.object({
    atMs: z.number(),
    models: z.array(
      z.object({
        model: z.string(),
        label: z.string().nullable(),
        contextWindow: z.number().nullable(),
        price: PersonPrice.optional(),
      }),
    ),
  }),
)

export function createVendorModels(now: () => number, storage?: LearnedStorage): VendorModels {
  let read: Map<string, ModelList> | null = null
  const lists = (): Map<string, ModelList> => {
    if (read) return read
    const kept = Kept.safeParse(storage?.read() ?? {})
    return (read = new Map(Object.entries(kept.success ? kept.data : {})))
  }
  const underway = new Map<string, Promise<Result<ModelList, ProviderFailure>>>()
  const changed = new Emitter<void>()
  return {
    known: (service) => lists().get(service) ?? null,
    ask(service, ask, refresh = false) {
      const before = lists().get(service)
      if (!refresh && before && now() - before.atMs < FRESH_MS) return Promise.resolve(ok(before))
      const asking =
        underway.get(service) ??
        ask()
          .then((answer) => {
            if (!answer.ok) return answer
            const list = { atMs: now(), models: answer.value }
            lists().set(service, list)
            storage?.write(Object.fromEntries(lists()))
            changed.fire()
            return ok(list)
          })
          .finally(() => underway.delete(service))
      underway.set(service, asking)
      return asking
    },
    onChange: changed.event,
  }
}
