import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sweepTemporaryFolders } from '../../../main/environment/temporary-folder.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { hasNoCopies, ownHome } from '../copy/support.ts'
import { noteKeptFiles, noteProgram, saveKeptFiles } from '../../../main/environment/layers/overlay/kept-files.ts'
import { tempFolder } from '../support.ts'
import { openOverlayLayers } from './support.ts'

/** A home folder with a file, and the upper folder to which a program in a layer writes. */
async function place(before: string | null, name = 'state.json') {
  const home = tempFolder()
  const scratch = tempFolder()
  const upper = join(scratch, 'up')
  await mkdir(upper)
  const path = join(home, name)
  if (before !== null) await writeFile(path, before)
  await noteKeptFiles({ paths: [path, join(home, 'folder')], home, scratch, layer: join(scratch, 'no layer') })
  return { home, scratch, upper, path, save: () => saveKeptFiles(scratch), write: (text: string) => writeFile(join(upper, name), text) }
}

test('a file that a program in the layer has replaced or made is saved, and nothing else below home', async () => {
  for (const before of [null, 'old']) {
    const { home, upper, path, save, write } = await place(before)
    await write('new')
    await writeFile(join(upper, 'other'), 'lost')
    await save()
    expect(await readFile(path, 'utf8')).toBe('new')
    expect(await readdir(home)).toEqual(['state.json'])
  }
})

test('a folder that a program in the layer has made is saved, unless home has it by now', async () => {
  const { home, upper, save } = await place(null)
  await mkdir(join(upper, 'folder/sessions'), { recursive: true })
  await writeFile(join(upper, 'folder/sessions/one'), 'x')
  await save()
  expect(await readFile(join(home, 'folder/sessions/one'), 'utf8')).toBe('x')
  const late = await place(null)
  await mkdir(join(late.upper, 'folder'))
  await mkdir(join(late.home, 'folder/mine'), { recursive: true })
  await late.save()
  expect(await readdir(join(late.home, 'folder'))).toEqual(['mine'])
})

test('changes are saved once, so what home gets afterwards is not set back', async () => {
  const { path, save, write } = await place('{"starts":1}')
  await write('{"starts":2}')
  await save()
  await writeFile(path, '{"starts":3}')
  await save()
  expect(await readFile(path, 'utf8')).toBe('{"starts":3}')
})

test('if both sides have changed a JSON file, both changes are kept; of other files, home keeps its own version', async () => {
  const { path, save, write } = await place(JSON.stringify({ starts: 1, projects: { a: 1, gone: 1 }, own: 'x' }))
  await writeFile(path, JSON.stringify({ starts: 1, projects: { a: 1, gone: 1, b: 2 }, own: 'y' }))
  await write(JSON.stringify({ starts: 2, projects: { a: 9 }, own: 'x' }))
  await save()
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ starts: 2, projects: { a: 9, b: 2 }, own: 'y' })
  const notes = await place('one', 'notes')
  await writeFile(notes.path, 'mine')
  await notes.write('theirs')
  await notes.save()
  expect(await readFile(notes.path, 'utf8')).toBe('mine')
})

test('a file that cannot be saved does not stop the others, and only it is saved again', async () => {
  const home = tempFolder()
  const scratch = tempFolder()
  const blocked = join(home, 'blocked.json')
  const other = join(home, 'other.json')
  await mkdir(join(scratch, 'up'))
  for (const path of [blocked, other]) await writeFile(path, '{"a":1}')
  await noteKeptFiles({ paths: [blocked, other], home, scratch, layer: join(scratch, 'no layer') })
  for (const name of ['blocked.json', 'other.json']) await writeFile(join(scratch, 'up', name), '{"a":2}')
  // A file cannot replace a folder.
  await rm(blocked)
  await mkdir(join(blocked, 'x'), { recursive: true })
  await expect(saveKeptFiles(scratch)).rejects.toThrow()
  expect(await readFile(other, 'utf8')).toBe('{"a":2}')
  await writeFile(other, '{"a":3}')
  await rm(blocked, { recursive: true })
  await saveKeptFiles(scratch)
  expect(await Promise.all([blocked, other].map(async (path) => JSON.parse(await readFile(path, 'utf8')) as unknown))).toEqual([
    { a: 2 },
    { a: 3 },
  ])
})

test('the programs of the folder must have ended, and no others in the layer', async () => {
  const { path, scratch, save, write } = await place('old')
  const own = spawn('sleep', ['60'])
  const other = spawn('sleep', ['60'])
  onTestFinished(() => void [own, other].map((child) => child.kill('SIGKILL')))
  await write('new')
  await noteProgram(scratch, own.pid ?? 0)
  await mkdir(join(scratch, 'no layer'))
  await writeFile(join(scratch, 'no layer/status'), `{ "child-pid": ${other.pid} }`)
  const saved = save()
  await Promise.race([saved, new Promise((resolve) => setTimeout(resolve, 50))])
  expect(await readFile(path, 'utf8')).toBe('old')
  own.kill('SIGKILL')
  await saved
  expect(await readFile(path, 'utf8')).toBe('new')
})

/** Starts a program in a layer as the app does, and never ends. */
const scriptFor = (base: string, file: string): string => `
  import { createOverlayLayers } from ${JSON.stringify(new URL('../../../main/environment/layers/overlay/overlay-layers.ts', import.meta.url).href)}
  const layers = createOverlayLayers({ folder: ${JSON.stringify(join(base, 'project'))}, layers: ${JSON.stringify(join(base, 'data/layers'))},
    frozen: ${JSON.stringify(join(base, 'data/frozen'))}, hidden: [], missing: async () => null, put: async () => '' })
  await layers.make('ses_1')
  const script = 'sleep 4717 & printf new > $HOME/.agent.json.new; mv $HOME/.agent.json.new $HOME/.agent.json; mkdir $HOME/.agent; printf x > $HOME/.agent/log; echo done; wait'
  const running = await layers.start('ses_1', ['bash', '--norc', '-c', script],
    { env: { PATH: '/usr/bin:/bin', HOME: process.env.HOME }, writable: [${JSON.stringify(file)}, ${JSON.stringify(join(dirname(file), '.agent'))}] })
  running.stdout.pipe(process.stdout)
`

describe.skipIf(hasNoCopies)('after the app was killed while a program ran in a layer', () => {
  const killed = async () => {
    const home = realpathSync(ownHome())
    const { base, layers } = openOverlayLayers({ a: 'A' })
    const path = join(home, '.agent.json')
    await writeFile(path, 'old')
    const script = join(base, 'script.ts')
    await writeFile(script, scriptFor(base, path))
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = once(child, 'close')
    await once(child.stdout, 'data')
    expect([await readFile(path, 'utf8'), await readdir(home)]).toEqual(['old', ['.agent.json']])
    child.kill('SIGKILL')
    await closed
    const state = async () => [await readFile(path, 'utf8'), await readFile(join(home, '.agent/log'), 'utf8')]
    return { layers, path, state, env: { PATH: '/usr/bin:/bin', HOME: home } }
  }

  test('the next launch saves what the program had changed in its state files', async () => {
    const { state } = await killed()
    await sweepTemporaryFolders(saveKeptFiles)
    expect(await state()).toEqual(['new', 'x'])
  })

  test('the next program in a layer finds it', async () => {
    const { layers, path, state, env } = await killed()
    const next = SessionId.parse('ses_2')
    await layers.make(next, AbortSignal.timeout(60_000))
    const running = await layers.start(next, ['bash', '--norc', '-c', 'cat $HOME/.agent.json'], { env, writable: [path] })
    expect(await text(running.stdout)).toBe('new')
    await running.ended
    expect(await state()).toEqual(['new', 'x'])
  })
})
