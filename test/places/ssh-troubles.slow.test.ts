import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createPlaces } from '../../main/places/places.ts'
import { runAgent } from '../headless/support/agent-process.ts'
import { place as modelPlace } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { NO_SMALL_DISK, smallDisk, type SmallDisk } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { NO_REDACTOR } from './support/no-redactor.ts'
import { buildGuest, type SshServer, startSshServer, whyNoSshServer } from './support/ssh-server.ts'
import { testMachine } from './support/wire.ts'

const isRoot = process.getuid?.() === 0

async function machine(home?: string) {
  const server = await startSshServer(home === undefined ? {} : { home })
  onTestFinished(() => server.close())
  const places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true), sshConfig: server.config })
  onTestFinished(() => places.close())
  return { server, places, reach: () => places.reach({ kind: 'ssh', host: server.host, port: null }) }
}

/** Null, with the test skipped, if no small disk can be mounted. */
function disk(skip: (why: string) => void, megabytes: number, files?: number): SmallDisk {
  const mounted = smallDisk(megabytes, files)
  if (mounted === null) {
    skip(NO_SMALL_DISK)
    throw new Error(NO_SMALL_DISK)
  }
  onTestFinished(() => mounted.remove())
  return mounted
}

function project(folder: string): string {
  mkdirSync(folder, { recursive: true })
  execFileSync('git', ['init', '-q', folder])
  writeFileSync(join(folder, 'a.txt'), 'hello\n')
  return folder
}

const EDIT_AND_COMMAND = [
  calls(call('edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' })),
  calls(call('shell', { command: 'echo b > b.txt' })),
  say('Done.'),
]

/** Lets the agent edit a file and run a command there without a window. Also returns what the model was told about each call. */
async function runThere({ host, config }: SshServer, folder: string, args: readonly string[]) {
  const at = await modelPlace(EDIT_AND_COMMAND)
  const options = { ...at, cwd: '', env: { ...at.env, COUNTERSIGN_SSH_CONFIG: config } }
  const ran = await runAgent(['--place', `ssh://${host}${folder}`, ...args, 'Do it'], options, false)
  const told = JSON.stringify(at.model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'user') ?? [])
  return { ...ran, told }
}

describe.skipIf(whyNoSshServer !== null)('what can go wrong on an ssh host', { timeout: 180_000 }, () => {
  beforeAll(buildGuest, 180_000)

  test('a changed host key is refused, with a warning that somebody may be intercepting the connection', async () => {
    const { server, reach } = await machine()
    const known = join(server.folder, 'known')
    const [, otherKey = ''] = readFileSync(join(server.folder, 'user.pub'), 'utf8').split(' ')
    writeFileSync(known, readFileSync(known, 'utf8').replace(/\S+\n$/u, `${otherKey}\n`))
    expect(await reach()).toMatchObject({
      failure: {
        code: 'place_not_reached',
        what: expect.stringMatching(/ssh-keygen -f \S+ -R .*Host key for \S+ has changed/u),
        kept: 'Nothing was opened or changed.',
        todo: expect.stringContaining('somebody may be intercepting the connection'),
      },
    })
    expect(existsSync(join(server.home, '.cache'))).toBe(false)
  })

  test.skipIf(!isRoot).each([
    // The password of this account is locked.
    [
      'sshd',
      /^No connection to box\. ssh says: sshd@127\.0\.0\.1: Permission denied \(publickey\)\.$/u,
      /account there may also be locked/u,
    ],
    // The shell of this account refuses to work.
    [
      'nobody',
      /^No connection to box\. Its shell ended with exit code 1\. .*This account is currently not available\./u,
      /“ssh box” works/u,
    ],
  ])('a locked account (%s) is reported in the words of the machine, with what to do', async (user, what, todo) => {
    const { server, reach } = await machine()
    writeFileSync(server.config, readFileSync(server.config, 'utf8').replace(/User \S+/u, `User ${user}`))
    chmodSync(server.folder, 0o711)
    expect(await reach()).toMatchObject({ failure: { what: expect.stringMatching(what), todo: expect.stringMatching(todo) } })
  })

  test('“Permission denied” from a start file is not reported as a refused key', async () => {
    const { server, reach } = await machine()
    writeFileSync(join(server.home, '.bashrc'), 'echo "cat: /etc/secret: Permission denied" >&2; exit 3\n')
    expect(await reach()).toMatchObject({
      failure: {
        what: expect.stringMatching(/Its shell ended with exit code 3\. .*Permission denied/u),
        todo: 'Check that “ssh box” works in a terminal, then try again.',
      },
    })
  })

  test('on a full disk there, edits and commands fail with the reason, and no file is half written', async ({ skip }) => {
    const { path, fill, free } = disk(skip, 8)
    const { server } = await machine()
    const folder = project(join(path, 'project'))
    fill()
    const before = readdirSync(folder)
    const ran = await runThere(server, folder, ['--approve', 'all'])
    expect([ran.code, ran.told]).toEqual([0, expect.stringContaining(`Could not write ${folder}/a.txt: the disk is full (ENOSPC).`)])
    expect(ran.told).toContain('No space left on device')
    // The shell itself makes the empty file.
    expect([readFileSync(join(folder, 'a.txt'), 'utf8'), readdirSync(folder)]).toEqual(['hello\n', [...before, 'b.txt'].toSorted()])
    free()
    await runThere(server, folder, ['--approve', 'all'])
    expect([readFileSync(join(folder, 'a.txt'), 'utf8'), readFileSync(join(folder, 'b.txt'), 'utf8')]).toEqual(['hello there\n', 'b\n'])
  })

  test('if the disk is too full for an installation, the message says how much it needs, nothing is left, and it can be repeated', async ({
    skip,
  }) => {
    const { path, fill, free } = disk(skip, 200)
    const { reach } = await machine(path)
    mkdirSync(join(path, '.cache'))
    fill()
    expect(await reach()).toMatchObject({
      failure: {
        what: expect.stringMatching(
          /There is no room for \d+ MB in ~\/\.cache\/countersign there \(ENOSPC\)\. Nothing of it was left there\./u,
        ),
        kept: 'No folder was opened.',
      },
    })
    expect(readdirSync(join(path, '.cache/countersign'))).toEqual([])
    free()
    expect(await reach()).toMatchObject({ ok: true })
  })

  test('a full disk during an installation is recognized if the account uses another language', async () => {
    const { server, reach } = await machine()
    const bin = join(server.home, 'bin')
    mkdirSync(bin)
    const words =
      '[ "$LC_ALL" = C ] && echo "tar: No space left on device" || echo "tar: Auf dem Gerät ist kein Speicherplatz mehr verfügbar"'
    writeFileSync(join(bin, 'tar'), `#!/bin/sh\n{ ${words}; } >&2\nexit 2\n`, { mode: 0o755 })
    writeFileSync(join(server.home, '.bashrc'), `export LC_ALL=de_DE.UTF-8 PATH=${bin}:$PATH\n`)
    expect(await reach()).toMatchObject({ failure: { what: expect.stringMatching(/There is no room for \d+ MB .*\(ENOSPC\)/u) } })
  })

  test('if the home folder there is full, edits still work, and copies and layers say what is missing', async ({ skip }) => {
    const { path, fill, free } = disk(skip, 200)
    const { server, reach } = await machine(path)
    await reach()
    const folder = project(join(server.folder, 'project'))
    fill()
    const own = join(path, '.cache/countersign/folders')
    const full = expect.stringMatching(new RegExp(`Could not write below ${own}/\\w+/\\w+: the disk is full \\(ENOSPC\\)\\.`, 'u'))
    const beside = await runThere(server, folder, ['--beside'])
    expect([beside.code, beside.stderr]).toEqual([1, full])
    const required = await runThere(server, folder, ['--mode', 'auto', '--sandbox', 'require'])
    expect([required.code, required.stderr, readFileSync(join(folder, 'a.txt'), 'utf8')]).toEqual([1, full, 'hello\n'])
    const ran = await runThere(server, folder, ['--mode', 'auto'])
    expect([ran.stderr.includes('Countersign itself failed'), readFileSync(join(folder, 'a.txt'), 'utf8')]).toEqual([
      false,
      'hello there\n',
    ])
    expect(existsSync(join(folder, 'b.txt'))).toBe(false)
    free()
    writeFileSync(join(folder, 'a.txt'), 'hello\n')
    expect([(await runThere(server, folder, ['--mode', 'auto', '--sandbox', 'require'])).code, existsSync(join(folder, 'b.txt'))]).toEqual([
      0,
      true,
    ])
  })

  test('if no file can be made in the home folder there, opening a folder fails at once with the reason', async ({ skip }) => {
    const { path } = disk(skip, 200, 60)
    const { server, reach } = await machine(path)
    const reached = await reach()
    if (!reached.ok) throw new Error(reached.failure.what)
    for (let at = 0; at < 60 && mkdirIfRoom(join(path, `full-${at}`)); at++);
    const folder = project(join(server.folder, 'project'))
    const began = performance.now()
    const ran = await runThere(server, folder, ['--approve', 'all'])
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringContaining(`Could not make ${path}/.cache/countersign/run: the disk is full (ENOSPC).`),
    ])
    expect(performance.now() - began).toBeLessThan(50_000)
  })

  test.each([
    ['the connection is cut', 'cut', 0.02],
    ['the connection is cut', 'cut', 0.99],
    ['the machine loses power', 'kill', 0.5],
  ] as const)('an upload during which %s (%s, at %d) is never used, and the next one is complete', async (_, fault, part) => {
    const base = temporaryFolder('interrupted')
    const { home, connectBy } = testMachine(base, () => ({}))
    let cutAt = Infinity
    let sent = 0
    const cutting: typeof connectBy = async (place, line) => {
      const child = await connectBy(place, line)
      if (!line.includes('tar -xf')) return child
      sent = 0
      const stdin = new Writable({
        write(bytes: Buffer, _encoding, done) {
          child.stdin.write(bytes.subarray(0, Math.max(0, cutAt - sent)))
          sent += bytes.length
          if (sent >= cutAt && fault === 'kill') child.kill('SIGKILL')
          if (sent >= cutAt) child.stdin.destroy()
          done()
        },
        final(done) {
          child.stdin.end()
          done()
        },
      })
      const { stdout, stderr } = child
      return { stdin, stdout, stderr, kill: () => child.kill('SIGKILL'), once: child.once.bind(child) }
    }
    const reach = async () => {
      const places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true), connectBy: cutting })
      onTestFinished(() => places.close())
      return places.reach({ kind: 'ssh', host: 'box', port: null })
    }
    const own = join(home, '.cache/countersign')
    expect(await reach()).toMatchObject({ ok: true })
    const [name = ''] = readdirSync(own)
    const files = filesBelow(join(own, name))
    rmSync(own, { recursive: true })
    cutAt = Math.floor(sent * part)
    expect(await reach()).toMatchObject({ failure: { code: 'place_not_reached', what: expect.stringContaining('failed (EINSTALL)') } })
    const left = readdirSync(own)
    expect(left).toEqual(fault === 'kill' ? [expect.stringMatching(/\.\d+$/u)] : [])
    // Makes the leftovers an hour old, because younger ones may belong to another upload.
    for (const one of left) utimesSync(join(own, one), 0, Date.now() / 1000 - 3600)
    cutAt = Infinity
    expect(await reach()).toMatchObject({ ok: true })
    expect([readdirSync(own), filesBelow(join(own, name))]).toEqual([[name], files])
  })
})

function mkdirIfRoom(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch {
    return false
  }
}

const filesBelow = (folder: string): readonly string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
