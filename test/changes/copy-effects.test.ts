import { expect, it } from 'vitest'
import type { CopyChange } from '../../main/agent/ports/command-copies.ts'
import { copyEffects } from '../../main/changes/copy-effects.ts'

const folder = (path: string): CopyChange => ({ kind: 'created', path, after: { kind: 'folder', mode: 0o755 } })
const link = (path: string): CopyChange => ({ kind: 'created', path, after: { kind: 'link', target: 'x' } })

async function shownOf(changes: readonly CopyChange[]): Promise<readonly string[]> {
  const effects = await copyEffects(
    { version: 1, folder: '/ws', device: '1', changes, obstacles: [], leftOut: [] },
    {
      blobs: { getInSlices: () => Promise.resolve(new Uint8Array()) },
      place: async (path) => ({ path, shown: path.slice('/ws/'.length), outside: false, control: false }),
    },
  )
  return effects.flatMap((effect) => ('path' in effect ? [`${effect.kind} ${effect.shown}`] : []))
}

it('at any depth, a new folder is listed only if it is empty', async () => {
  const changes = [folder('a'), folder('a/b'), folder('a/b/c'), link('a/b/c/x'), folder('ab'), folder('empty'), folder('a/none')]
  expect(await shownOf(changes)).toEqual(['link a/b/c/x', 'folder ab', 'folder empty', 'folder a/none'])
})

it('a list of 20,000 changes in 20,000 folders is made without comparing all pairs', async () => {
  let reads = 0
  const changes = Array.from({ length: 10_000 }, (_, at): readonly CopyChange[] => [folder(`f${at}`), link(`f${at}/x`)]).flat()
  const counted = changes.map(
    (change) =>
      new Proxy(change, {
        get(target, name) {
          if (name === 'path') reads++
          return Reflect.get(target, name)
        },
      }),
  )
  expect((await shownOf(counted)).length).toBe(10_000)
  expect(reads).toBeLessThan(10 * changes.length)
})
