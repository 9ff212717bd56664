import { expect, test } from 'vitest'
import { placesHandlers } from '../../main/api/folder/places.ts'
import type { Places } from '../../main/places/places.ts'
import { ok } from '../../shared/lib/result.ts'
import { placeKey } from '../../shared/places/address.ts'

test('a place that was recorded for a folder is removed if connecting to it breaks off with an error', async () => {
  const removed: string[] = []
  const handlers = placesHandlers({
    places: { reach: () => Promise.reject(new Error('The disk is full.')) } as unknown as Places,
    plan: () => Promise.resolve(ok('container:shop-1/work')),
    trust: () => Promise.resolve(),
    running: () => Promise.resolve([]),
    makeBranch: () => Promise.reject(new Error('Not asked for.')),
    stop(place, uninstalls) {
      removed.push(`${placeKey(place)} ${uninstalls}`)
      return Promise.resolve(ok(null))
    },
  })
  const connecting = async (): Promise<void> => {
    const items = handlers.connect(
      { place: 'image:node:22', folder: '/work' },
      { signal: new AbortController().signal, connection: 'test' },
    )
    for await (const _ of items);
  }
  await expect(connecting()).rejects.toThrow('The disk is full.')
  expect(removed).toEqual(['container:shop-1 true'])
})
