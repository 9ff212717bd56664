import { expect, test } from 'vitest'
import { createLayerComparison, type LayerState } from '../../main/environment/layers/overlay/layer-state.ts'
import { changesSinceLastStep } from '../../main/foreign-agents/changes-since-last-step.ts'
import type { LayerChange } from '../../main/agent/ports/layers.ts'
import { memoryBlobs } from '../support/memory-blobs.ts'

const NOTHING: LayerState = { files: new Map(), folders: new Map(), folderBelow: () => null, shown: () => Promise.resolve(null) }

/** A layer in which the agent writes a new file right after each time that the layer is read. `failing`: the numbers of readings that fail. */
async function busyLayer(failing: readonly number[] = []) {
  const blobs = memoryBlobs()
  const hash = await blobs.putInSlices(Buffer.from('new\n'))
  let files: readonly LayerChange[] = []
  let readings = 0
  const changes = changesSinceLastStep<object>(
    createLayerComparison({
      state() {
        const now = { ...NOTHING, files: new Map(files.map((file) => [file.path, file])) }
        files = [...files, { path: `${++readings}.txt`, base: null, own: { hash, size: 4, mode: 0o644 } }]
        return failing.includes(readings) ? Promise.reject(new Error('The layer is busy.')) : Promise.resolve(now)
      },
      refresh: () => Promise.resolve(),
      bytesOf: blobs.getInSlices,
    }),
  )
  return { changes, written: () => files.map(({ path }) => path) }
}

/** The files of a step that ends now. */
async function step({ changes }: Awaited<ReturnType<typeof busyLayer>>): Promise<readonly string[]> {
  const run = await changes.begin()
  changes.decide(
    {},
    () => true,
    () => {},
  )
  return (await run.end()).changes.map(({ path }) => path)
}

test('a file that the agent writes while its layer is read is a change of a later step, even if a model request comes in between', async () => {
  const layer = await busyLayer()
  await layer.changes.restart()
  const found = [await step(layer), await step(layer)]
  await layer.changes.read(null)
  found.push(await step(layer), await step(layer))
  expect(found.flat()).toEqual(layer.written().slice(0, -1))
  expect(new Set(found.flat()).size).toBe(found.flat().length)
})

test('if the layer cannot be read once, the next step has the changes', async () => {
  const layer = await busyLayer([2])
  await layer.changes.restart()
  expect(await step(layer)).toEqual([])
  expect(await step(layer)).toEqual(['1.txt', '2.txt'])
})
