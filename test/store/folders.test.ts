import { expect, it } from 'vitest'
import { manualClock, opened } from './support/stores.ts'
import { tempFolder } from './support/temp-folder.ts'

it('a folder is neither trusted nor refused until the user answers, and the answer is kept', async () => {
  const data = tempFolder()
  const store = await opened(data)
  expect(store.folders.trust('/w')).toBeNull()
  store.folders.decide('/w', true)
  store.folders.decide('/v', false)
  store.close()
  const again = await opened(data)
  expect([again.folders.trust('/w'), again.folders.trust('/v'), again.folders.trust('/w/inside')]).toEqual([true, false, null])
  again.folders.decide('/w', false)
  expect(again.folders.trust('/w')).toBe(false)
})

it('recent folders are all opened folders, trusted or not, newest first', async () => {
  const clock = manualClock()
  const store = await opened(tempFolder(), clock)
  for (const path of ['/a', '/b', '/c', '/a']) {
    clock.at++
    store.folders.opened(path)
  }
  store.folders.decide('/never-opened', true)
  store.folders.decide('/b', true)
  expect(store.folders.recent(10)).toEqual(['/a', '/c', '/b'])
  expect(store.folders.recent(1)).toEqual(['/a'])
})
