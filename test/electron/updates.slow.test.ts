import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildShell, builtShell } from '../support/built-shell.ts'
import { type FeedOptions, type UpdateFeed, startUpdateFeed } from './update-feed.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('start-updating.ts', import.meta.url))

interface Ended {
  readonly last: unknown
  readonly exitCode: number
  readonly errors: readonly unknown[]
}

/** Runs the built app as an AppImage, with the real electron-updater, until it has ended in this way. */
async function updated(feed: UpdateFeed, end: 'quits' | 'restarts' | 'killed' | 'tells', isPackage = false): Promise<Ended> {
  const entry = join(dirname(builtShell().browser), 'index.js')
  const env = {
    ...process.env,
    COUNTERSIGN_TEST_RESOURCES: feed.resources,
    XDG_CACHE_HOME: join(feed.data, '..', 'cache'),
    ...(!isPackage && { APPIMAGE: feed.image }),
  }
  const { stdout } = await run(process.execPath, [script, entry, feed.data, end], { env })
  return JSON.parse(stdout) as Ended
}

async function feedWith(options: FeedOptions = {}): Promise<UpdateFeed> {
  const feed = await startUpdateFeed(options)
  onTestFinished(() => feed.stop())
  return feed
}

describe.skipIf(process.platform !== 'linux')('a new version in the feed of an AppImage', () => {
  let removeBuild: () => Promise<void>
  beforeAll(async () => {
    removeBuild = await buildShell()
  }, 120_000)
  afterAll(() => removeBuild())

  it('is downloaded while the app runs and replaces it when the app has closed, without starting it', async () => {
    const feed = await feedWith()
    const ended = await updated(feed, 'quits')
    expect([ended.exitCode, ended.errors, ended.last]).toEqual([0, [], { kind: 'ready', version: '9.0.0' }])
    expect([feed.installed(), feed.starts()]).toEqual(['9.0.0', ['exit']])
  })

  it('is started after “Restart”', async () => {
    const feed = await feedWith()
    expect((await updated(feed, 'restarts')).exitCode).toBe(0)
    await vi.waitFor(() => expect([feed.installed(), feed.starts()]).toEqual(['9.0.0', ['run']]), { timeout: 20_000 })
  })

  it('is not installed when the system ends the app', async () => {
    const feed = await feedWith()
    expect(await updated(feed, 'killed')).toMatchObject({ exitCode: 0, last: { kind: 'ready' } })
    expect([feed.installed(), feed.starts()]).toEqual(['0.1.0', []])
  })

  it('is only named if the user wants that', async () => {
    const feed = await feedWith()
    expect(await updated(feed, 'tells')).toMatchObject({ exitCode: 0, last: { kind: 'found', version: '9.0.0', by: 'download' } })
    expect([feed.installed(), feed.requests.filter((path) => path.endsWith('.AppImage'))]).toEqual(['0.1.0', []])
  })

  it.each<[string, FeedOptions, RegExp]>([
    ['without a signature', { signature: 'missing' }, /signature of version 9\.0\.0 is wrong/],
    ['with the signature of another version', { signature: 'of another version' }, /signature of version 9\.0\.0 is wrong/],
    ['whose file is not the signed one', { isDamaged: true }, /sha512 checksum mismatch/],
  ])('%s is refused, and the app stays as it is', async (_, options, why) => {
    const feed = await feedWith(options)
    const { last } = await updated(feed, 'quits')
    expect(last).toMatchObject({ kind: 'failed', trouble: { what: expect.stringMatching(why) as unknown } })
    expect([feed.installed(), feed.starts()]).toEqual(['0.1.0', []])
  })

  it.each<[string, FeedOptions]>([
    ['an older version', { offers: '0.0.1' }],
    ['a version that is rolled out to nobody yet', { staging: 0 }],
  ])('%s is not offered', async (_, options) => {
    const feed = await feedWith(options)
    expect(await updated(feed, 'quits')).toMatchObject({ exitCode: 0, last: { kind: 'up_to_date' } })
    expect(feed.installed()).toBe('0.1.0')
  })

  it('is only named by an app from a Debian package, and needs no signature for that', async () => {
    const feed = await feedWith({ isPackage: true, signature: 'missing' })
    expect((await updated(feed, 'quits', true)).last).toEqual({ kind: 'found', version: '9.0.0', by: 'package' })
  })
})
