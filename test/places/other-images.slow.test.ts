import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createMadePlaces } from '../../main/places/made/made-places.ts'
import { parseAddress } from '../../shared/places/address.ts'
import { runAgent } from '../headless/support/agent-process.ts'
import { place as modelPlace } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type ImageOptions, linkToUsr, makeImage, ONLY_BUSYBOX, whyNoBusybox, whyNoContainer, WITHOUT_BASH } from './support/container.ts'
import { newFolder } from './support/made.ts'
import { buildGuest } from './support/ssh-server.ts'

const isRoot = process.getuid?.() === 0
const USER_ID = 54_321

/** An image that runs as this user. Only `dev` is known to it. */
const asUser = (user: string): ImageOptions => ({
  changes: [`USER ${user}`],
  fill(root) {
    linkToUsr(root)
    const home = join(root, 'home/dev')
    mkdirSync(home, { recursive: true })
    appendFileSync(join(root, 'etc/passwd'), `dev:x:${USER_ID}:${USER_ID}::/home/dev:/bin/sh\n`)
    if (isRoot) chownSync(home, USER_ID, USER_ID)
  },
})

const EDIT_AND_COMMAND = [
  calls(call('edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' })),
  calls(call('shell', { command: 'id -u > b.txt' })),
  say('Done.'),
]

describe.skipIf(whyNoContainer !== null)('an image', { timeout: 180_000 }, () => {
  beforeAll(buildGuest, 180_000)

  /** A folder for containers of this image, and runs of the agent in them. */
  async function shop(options: ImageOptions, owner: number | null = null) {
    const image = makeImage(options)
    onTestFinished(() => image.close())
    const folder = newFolder('shop')
    await writeFile(join(folder, 'a.txt'), 'hello\n')
    chmodSync(folder, 0o755)
    if (owner !== null) for (const path of [folder, join(folder, 'a.txt')]) chownSync(path, owner, owner)
    const at = await modelPlace(({ index }) => EDIT_AND_COMMAND[index % EDIT_AND_COMMAND.length] ?? say('Done.'))
    const run = async (...args: readonly string[]) => {
      const ran = await runAgent(['--place', `image:${image.name}`, ...args, 'Do it'], { ...at, cwd: folder })
      return { ...ran, told: JSON.stringify(at.model.requests.at(-1)?.body.messages ?? []) }
    }
    return { image, folder, at, run, file: (name: string) => readFile(join(folder, name), 'utf8') }
  }

  test('without bash: files are edited, and a command says what is missing and how to get it', async () => {
    const { run, file, folder } = await shop(WITHOUT_BASH)
    const missing = 'No command can run: bash was not found'
    const ran = await run('--approve', 'all')
    expect([ran.code, await file('a.txt'), ran.told]).toEqual([0, 'hello there\n', expect.stringContaining(missing)])
    const required = await run('--mode', 'auto', '--sandbox', 'require')
    expect([required.code, required.stderr]).toEqual([
      1,
      expect.stringMatching(`${missing} .* Install bash, or choose a shell. Copies can be made then.`),
    ])
    expect(readdirSync(folder)).toEqual(['a.txt'])
  })

  test.skipIf(whyNoBusybox !== null)('without glibc and Node: says which Node it needs, and nothing is left of the container', async () => {
    const { run, image, folder, file } = await shop(ONLY_BUSYBOX)
    const ran = await run('--approve', 'all')
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringMatching(
        /has no Node 22 or newer, and the one of this computer does not run there \(Linux, \w+, no glibc\)\.\nNothing was installed\.\nInstall Node 22/u,
      ),
    ])
    expect([await file('a.txt'), image.running(), image.volumesOf(folder)]).toEqual(['hello\n', [], []])
  })

  test.skipIf(!isRoot).each(['dev', String(USER_ID)])(
    'of another user (%s): edits, commands in copies, and layers that outlive the container work as that user',
    async (user) => {
      const { run, image, at, file } = await shop(asUser(user), USER_ID)
      const ran = await run('--mode', 'auto', '--sandbox', 'require')
      expect([ran.code, await file('a.txt'), await file('b.txt')]).toEqual([0, 'hello there\n', `${USER_ID}\n`])
      const beside = await run('--beside', '--sandbox', 'require')
      expect([beside.code, await file('a.txt'), image.running()]).toEqual([0, 'hello there\n', []])
      const [, address = ''] = /Working in (\S+), made from/u.exec(beside.stderr) ?? []
      const brought = await runAgent(['--place', address, 'bring-in', 'last', '--approve', 'all'], { ...at, cwd: '' }, false)
      expect([brought.code, brought.stderr, await file('a.txt')]).toEqual([0, '', 'hello there there\n'])
    },
  )

  test.skipIf(!isRoot)('of a user who may not change the folder: the edit says so, and the file is unchanged', async () => {
    const { run, file } = await shop(asUser('dev'))
    const ran = await run('--approve', 'all')
    expect([ran.told, await file('a.txt')]).toEqual([expect.stringContaining('permission denied (EACCES)'), 'hello\n'])
  })

  test.skipIf(!isRoot)('of a user without a home folder: says so, and puts nothing into the folder', async () => {
    const { run, image, folder } = await shop(asUser('54322'), 54322)
    const ran = await run('--approve', 'all')
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(/has no home folder that it may write to\.\nNothing was installed/u)])
    expect([readdirSync(folder), image.running(), image.volumesOf(folder)]).toEqual([['a.txt'], [], []])
  })

  test.skipIf(!isRoot)('of a user without a home folder: says so also for a container that runs already, and removes it', async () => {
    const { image, folder } = await shop(asUser('54322'), 54322)
    const made = createMadePlaces({ folder: newFolder('records'), now: Date.now })
    const planned = await made.plan(`image:${image.name}`, folder)
    if (!planned.ok) throw new Error(planned.failure.what)
    const { name, address } = planned.value
    // The state after a kill right after the start.
    execFileSync('podman', ['run', '--detach', '--rm', '--name', name, '--entrypoint', 'sleep', image.name, 'infinity'])
    const { place } = parseAddress(address)
    expect(place && (await made.ensure(place, { report: () => {} }))).toMatchObject({ failure: { code: 'container_without_home' } })
    expect(image.running()).toEqual([])
  })
})
