import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keptFiles } from '../../../main/environment/layers/overlay/kept-files.ts'
import { tempFolder } from '../support.ts'

/** A home folder with a file, and the upper folder to which a program in a layer writes. */
async function place(before: string | null, name = 'state.json') {
  const home = tempFolder()
  const upper = tempFolder()
  const path = join(home, name)
  if (before !== null) await writeFile(path, before)
  const kept = await keptFiles([path, join(home, 'folder')], home, upper)
  return { home, upper, path, kept, write: (text: string) => writeFile(join(upper, name), text) }
}

test('a file that a program in the layer has replaced or made is saved, and nothing else below home', async () => {
  for (const before of [null, 'old']) {
    const { home, upper, path, kept, write } = await place(before)
    await write('new')
    await writeFile(join(upper, 'other'), 'lost')
    await kept.save()
    expect(await readFile(path, 'utf8')).toBe('new')
    expect(await readdir(home)).toEqual(['state.json'])
  }
})

test('a folder that a program in the layer has made is saved, unless home has it by now', async () => {
  const { home, upper, kept } = await place(null)
  await mkdir(join(upper, 'folder/sessions'), { recursive: true })
  await writeFile(join(upper, 'folder/sessions/one'), 'x')
  await kept.save()
  expect(await readFile(join(home, 'folder/sessions/one'), 'utf8')).toBe('x')
  await rm(join(upper, 'folder/sessions/one'))
  await writeFile(join(upper, 'folder/sessions/two'), 'x')
  await kept.save()
  expect(await readdir(join(home, 'folder/sessions'))).toEqual(['one'])
})

test('if both sides have changed a JSON file, both changes are kept; of other files, home keeps its own version', async () => {
  const { path, kept, write } = await place(JSON.stringify({ starts: 1, projects: { a: 1, gone: 1 }, own: 'x' }))
  await writeFile(path, JSON.stringify({ starts: 1, projects: { a: 1, gone: 1, b: 2 }, own: 'y' }))
  await write(JSON.stringify({ starts: 2, projects: { a: 9 }, own: 'x' }))
  await kept.save()
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ starts: 2, projects: { a: 9, b: 2 }, own: 'y' })
  const text = await place('one', 'notes')
  await writeFile(text.path, 'mine')
  await text.write('theirs')
  await text.kept.save()
  expect(await readFile(text.path, 'utf8')).toBe('mine')
})
