import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type Ended, copyFailureReason } from '../../../main/environment/copy/copy-failure-reason.ts'

const FIT = { unfit: null, secondTry: null }

const endedWith = (result: Partial<Ended['result']>): Ended => ({
  result: { stdout: '', stderr: '', exitCode: 1, timedOut: false, aborted: false, ...result },
  blocked: [],
  localPorts: [],
  wayToForward: null,
  isFilled: false,
  hasHardLinks: true,
})

const unfitOf = (result: Partial<Ended['result']>, rest: Partial<Ended> = {}, listening: readonly number[] = []) =>
  copyFailureReason({ ...endedWith(result), ...rest }, (port) => Promise.resolve(listening.includes(port)))

it.each([
  ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?', 'Docker socket'],
  ['error: gpg failed to sign the data', 'signs with a key'],
  ['git@example.org: Permission denied (publickey).', 'SSH keys'],
  ["fatal: Unable to create '/r/.git/worktrees/w/index.lock': Read-only file system", 'Git'],
  ["error: cannot open '/r/.git/worktrees/w/FETCH_HEAD': Read-only file system", 'Git'],
  ['error: could not lock config file /r/.git/config: Read-only file system', 'Git'],
  ['cp: cannot stat: Value too large for defined data type', 'another user'],
  ['Error: getaddrinfo EAI_AGAIN db.example.org', 'db.example.org'],
  ['curl: (6) Could not resolve host: example.org', 'example.org'],
  ['ssh: Could not resolve hostname git.example.org: Temporary failure in name resolution', 'git.example.org'],
  ["wget: unable to resolve host address 'files.example.org'", 'files.example.org'],
  ['Error: connect ENETUNREACH 192.0.2.7:443 - Local (0.0.0.0:0)', '192.0.2.7'],
  ['dial tcp: lookup proxy.example.org on 10.0.0.1:53: server misbehaving', 'proxy.example.org'],
  ['ping: example.org: Temporary failure in name resolution', 'example.org'],
  ['socket.gaierror: [Errno -3] Temporary failure in name resolution', 'the network'],
])('%s is a failure caused by the copy', async (stderr, words) => {
  const { unfit, secondTry } = await unfitOf({ stderr })
  expect(unfit).toContain(words)
  expect(secondTry).toBeNull()
})

it('a long word at the end of the output does not slow down the search for the reason', async () => {
  const begun = performance.now()
  for (let each = 0; each < 20; each++) expect(await unfitOf({ stdout: 'a'.repeat(4_000), stderr: 'a'.repeat(4_000) })).toEqual(FIT)
  expect(performance.now() - begun).toBeLessThan(2_000)
})

it('other errors, a success and a stopped command are not failures caused by the copy', async () => {
  const stderr = 'Cannot connect to the Docker daemon'
  expect(await unfitOf({ stderr: 'Error: expected 2, got 3' })).toEqual(FIT)
  expect(await unfitOf({ stderr: 'getaddrinfo ENOTFOUND no-such-host.invalid' })).toEqual(FIT)
  expect(await unfitOf({ stderr, exitCode: 0 })).toEqual(FIT)
  expect(await unfitOf({ stderr, timedOut: true, exitCode: null })).toEqual(FIT)
})

it('a failure because the user refused a host is not caused by the copy', async () => {
  const stderr = 'curl: (6) Could not resolve host: example.org'
  expect(await unfitOf({ stderr }, { blocked: [{ host: 'example.org' }] })).toEqual(FIT)
})

it('a command that failed to rename a folder is tried again in a filled copy before its failure counts as caused by the copy', async () => {
  const stderr = "Error: EXDEV: cross-device link not permitted, rename 'a' -> 'b'"
  expect(await unfitOf({ stderr })).toEqual({ unfit: null, secondTry: { kind: 'filled' } })
  expect((await unfitOf({ stderr }, { isFilled: true })).unfit).toContain('renames a folder')
})

it('a local clone that compares hard links is tried again in a copy without hard links', async () => {
  const stderr = "fatal: hardlink different from source at 'sub/.git/objects/d9/05d9da82'"
  expect(await unfitOf({ stderr })).toEqual({ unfit: null, secondTry: { kind: 'without-hard-links' } })
  expect((await unfitOf({ stderr }, { hasHardLinks: false })).unfit).toContain('hard link')
})

it.each([
  "Schwerwiegend: Hardlink unterscheidet sich von der Quelle bei 'sub/.git/objects/d9/05d9da82'",
  "fatal : le lien physique est différent de la source à 'sub/.git/objects/pack/pack-12ab.idx'",
  '致命错误：硬链接与源不同，位于 sub/.git/objects/d9/05d9da82',
])('the same failure in another language is recognized by its exit code and the object that it names: %s', async (stderr) => {
  const ended = { stderr, exitCode: 128 }
  expect(await unfitOf(ended)).toEqual({ unfit: null, secondTry: { kind: 'without-hard-links' } })
  // If it fails without hard links too, they were not the cause.
  expect(await unfitOf(ended, { hasHardLinks: false })).toEqual(FIT)
  expect(await unfitOf({ ...ended, exitCode: 1 })).toEqual(FIT)
})

it.each(['OSError: [Errno 18] Ungültiger Link: a -> b', 'Fehler: ungültiger Link (os error 18)'])(
  'a failed renaming is recognized by its number: %s',
  async (stderr) => expect(await unfitOf({ stderr })).toEqual({ unfit: null, secondTry: { kind: 'filled' } }),
)

describe('a refused connection to this machine', () => {
  it.each([
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
    'Error: connect ECONNREFUSED ::1:5432',
    'curl: (7) Failed to connect to localhost port 5432 after 0 ms: Couldn’t connect to server',
    'psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
    'dial tcp [::1]:5432: connect: connection refused',
    "HTTPConnectionPool(host='localhost', port=5432): Max retries exceeded: Connection refused",
    'bash: /dev/tcp/localhost/5432: Connection refused',
    "ERROR 2003 (HY000): Can't connect to MySQL server on '127.0.0.1:5432' (111)",
  ])('%s can be retried with the port', async (stderr) => {
    expect(await unfitOf({ stderr }, {}, [5432])).toEqual({ unfit: null, secondTry: { kind: 'local-port', port: 5432 } })
  })

  const stderr = 'Error: connect ECONNREFUSED 127.0.0.1:5432'

  it('is an ordinary failure if nothing listens on the port, or if the command could reach the port', async () => {
    expect(await unfitOf({ stderr }, {}, [5433])).toEqual(FIT)
    expect(await unfitOf({ stderr }, { localPorts: [5432] }, [5432])).toEqual(FIT)
  })

  it('is a failure caused by the copy if no port can be forwarded', async () => {
    expect((await unfitOf({ stderr }, { wayToForward: 'Type: sudo apt-get install socat' }, [5432])).unfit).toContain(
      'localhost:5432, which cannot be reached from a copy without socat. Type: sudo apt-get install socat',
    )
  })

  it('can be retried only while a program outside the copy listens on the port', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const ended = endedWith({ stderr: `connect ECONNREFUSED 127.0.0.1:${port}` })
    expect(await copyFailureReason(ended)).toEqual({ unfit: null, secondTry: { kind: 'local-port', port } })
    await new Promise((resolve) => server.close(resolve))
    expect(await copyFailureReason(ended)).toEqual(FIT)
  })
})
