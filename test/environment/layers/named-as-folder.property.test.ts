import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namedAsFolder } from '../../../main/environment/layers/named-as-folder.ts'
import { NOTHING_HIDDEN } from '../../../main/environment/nothing-hidden.ts'
import { randomRuns } from '../../random-runs.ts'

const TREE = '/data/sub/tree'
const FOLDER = '/work'

/** Texts in which the path, and what only begins like it, is frequent. */
const text = fc
  .array(fc.constantFrom(TREE, '/data', '/', '/data/sub/tre', 'e', '\n', 'ü', '/data/sub/data/sub/tree'))
  .map((parts) => parts.join(''))

test('wherever output is split, the path of the clone becomes the folder’s path, and no other byte changes', () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(200)), (printed, splits) => {
      let shown = ''
      const stream = namedAsFolder(NOTHING_HIDDEN, TREE, FOLDER).stream((bytes) => (shown += bytes.toString('latin1')))
      const bytes = Buffer.from(printed)
      const places = [0, ...splits.filter((at) => at < bytes.length).toSorted((a, b) => a - b), bytes.length]
      for (const [index, at] of places.entries()) stream.write(bytes.subarray(places[index - 1] ?? 0, at))
      stream.end()
      expect(Buffer.from(shown, 'latin1').toString()).toBe(printed.replaceAll(TREE, FOLDER))
    }),
    { numRuns: randomRuns(2_000) },
  )
})

test('output that only begins like the path does not wait for more', async () => {
  const shown = Promise.withResolvers<string>()
  namedAsFolder(NOTHING_HIDDEN, TREE, FOLDER)
    .stream((bytes) => shown.resolve(bytes.toString()))
    .write(Buffer.from('/data/s'))
  expect(await shown.promise).toBe('/data/s')
})
