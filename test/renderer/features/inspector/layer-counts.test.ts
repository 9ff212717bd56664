import { expect, test } from 'vitest'
import { layerCounts } from '../../../../renderer/features/inspector/layer-counts.ts'

test.each([
  ['while it is not known what is in the layer', null, '3 files in the layer', undefined],
  ['while all of them are in the layer', 3, '3 files in the layer', undefined],
  ['if more than the steps changed is in the layer', 4, '3 files in the layer', undefined],
  ['once some are signed', 1, '3 files', '1 in the layer'],
  ['once all are signed', 0, '3 files', 'none left to bring in'],
])('of three changed files, the heading counts those that wait to be brought in: %s', (_, own, title, aside) => {
  expect(layerCounts(3, own)).toEqual({ title, aside })
})
