import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { crashReports, hiddenFromReports, withoutKeys } from '../../main/electron/crash-report.ts'
import { type DeepLink, fragmentOf, parseDeepLink } from '../../main/electron/launch/deep-link.ts'
import { desktopFlags } from '../../main/electron/launch/desktop-flags.ts'
import { desktopHost } from '../../main/electron/desktop-host.ts'
import { desktopSecrets } from '../../main/electron/keychain-secrets.ts'
import { noUpdates } from '../../main/host.ts'
import { QuitQuestions } from '../../main/quit-questions.ts'
import { SystemTroubleList } from '../../main/system-troubles.ts'
import { createLinkOpener } from '../../main/electron/link-opener.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { BrowserWindow, Notification, dialog, resetFakeElectron, safeStorage, shell } from '../support/fake-electron/electron.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

let folder: string
beforeEach(() => {
  resetFakeElectron()
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-parts-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

const KEY = 'sk-canary-0123456789abcdef'

describe('keys in the system’s keychain', () => {
  it('a key survives restarts, is shown by its last characters, and is removed when cleared', async () => {
    const secrets = await desktopSecrets(folder, 'linux')
    const changed: string[] = []
    secrets.onChange((provider) => changed.push(provider))
    expect(await secrets.set('anthropic', KEY)).toEqual({ ok: true, value: null })
    const later = await desktopSecrets(folder, 'linux')
    expect([await later.get('anthropic'), await later.get('openai'), await later.state('anthropic'), later.newKeysKeptIn]).toEqual([
      KEY,
      null,
      { key: 'set', ending: 'cdef', keptIn: 'keychain' },
      'keychain',
    ])
    await secrets.set('openai', 'another-key-1234')
    await secrets.clear('anthropic')
    expect([await later.get('anthropic'), await later.get('openai'), changed]).toEqual([
      null,
      'another-key-1234',
      ['anthropic', 'openai', 'anthropic'],
    ])
  })

  it('no written file contains the key, and only the owner may read the file', async () => {
    const secrets = await desktopSecrets(folder, 'linux')
    await secrets.set('anthropic', KEY)
    const names = readdirSync(folder)
    expect(names).toEqual(['keys.json'])
    const text = readFileSync(join(folder, 'keys.json'), 'utf8')
    const plain = [KEY, Buffer.from(KEY).toString('base64'), Buffer.from(KEY).toString('hex')]
    expect(plain.filter((form) => text.includes(form))).toEqual([])
    if (process.platform !== 'win32') expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['Electron encrypts with a password that everybody knows', () => (safeStorage.backend = 'basic_text')],
    ['Electron’s backend is unknown', () => (safeStorage.backend = 'unknown')],
    ['there is no encryption', () => (safeStorage.available = false)],
  ])('on Linux, if %s, keys are reported as kept in memory, and no file is written', async (_, make) => {
    make()
    const secrets = await desktopSecrets(folder, 'linux')
    await secrets.set('anthropic', KEY)
    expect([secrets.newKeysKeptIn, await secrets.get('anthropic'), await secrets.state('anthropic'), readdirSync(folder)]).toEqual([
      'memory',
      KEY,
      { key: 'set', ending: 'cdef', keptIn: 'memory' },
      [],
    ])
  })

  it('the backend is queried only on Linux', async () => {
    safeStorage.backend = 'basic_text'
    expect((await desktopSecrets(folder, 'darwin')).newKeysKeptIn).toBe('keychain')
  })

  it('a locked keychain returns no key, deletes nothing, and refuses a new key without quoting it', async () => {
    const secrets = await desktopSecrets(folder, 'linux')
    await secrets.set('anthropic', KEY)
    safeStorage.locked = true
    const refused = await secrets.set('anthropic', 'sk-another-key')
    expect([
      await secrets.get('anthropic'),
      await secrets.state('anthropic'),
      refused.ok,
      JSON.stringify(refused).includes('sk-another'),
    ]).toEqual([null, { key: 'not_set', ending: null, keptIn: null }, false, false])
    safeStorage.locked = false
    expect(await secrets.get('anthropic')).toBe(KEY)
  })

  it('a key that the keychain wants to re-encrypt is re-encrypted when it is read', async () => {
    const secrets = await desktopSecrets(folder, 'linux')
    await secrets.set('anthropic', KEY)
    safeStorage.rotated = true
    expect([await secrets.get('anthropic'), safeStorage.encryptions]).toEqual([KEY, 2])
  })

  it.each(['not json', '{"sealed":{"anthropic":5}}', '[]'])('a damaged file (%s) is reported and not overwritten', async (text) => {
    writeFileSync(join(folder, 'keys.json'), text)
    const secrets = await desktopSecrets(folder, 'linux')
    const refused = await secrets.set('anthropic', KEY)
    expect([await secrets.get('anthropic'), refused, readFileSync(join(folder, 'keys.json'), 'utf8')]).toEqual([
      null,
      {
        ok: false,
        failure: {
          code: 'keys_file',
          what: `${join(folder, 'keys.json')} cannot be read: it is damaged`,
          kept: 'All keys that are already stored are unchanged.',
          todo: `Move ${join(folder, 'keys.json')} away, then set the keys again.`,
        },
      },
      text,
    ])
  })
})

describe('the desktop app’s host', () => {
  const host = async (shown: (DeepLink | null)[] = []) =>
    desktopHost({
      secrets: await desktopSecrets(folder, 'linux'),
      systemTroubles: new SystemTroubleList(),
      quitQuestions: new QuitQuestions(),
      updates: noUpdates('None here.'),
      openLink: createLinkOpener(),
      show: (what) => shown.push(what),
    })

  it('announces its capabilities', async () => {
    Notification.supported = false
    expect((await host()).capabilities).toEqual({ folderDialog: true, notifications: false, reveal: true })
  })

  it('the folder dialog returns the chosen folder, or null if none was chosen', async () => {
    dialog.folders = ['/code/project']
    expect(await (await host()).pickFolder()).toBe('/code/project')
    dialog.folders = []
    expect(await (await host()).pickFolder()).toBeNull()
    expect(dialog.foldersAsked[0]?.properties).toEqual(['openDirectory', 'createDirectory'])
  })

  it('only an existing file inside an open folder is revealed, and it is never opened', async () => {
    const open = join(folder, 'ws')
    const evil = join(folder, 'ws-evil')
    for (const one of [open, evil]) {
      mkdirSync(one)
      writeFileSync(join(one, 'a.txt'), '')
    }
    symlinkSync(join(evil, 'a.txt'), join(open, 'out.txt'))
    symlinkSync(evil, join(open, 'outside'))
    symlinkSync(join(open, 'a.txt'), join(open, 'in.txt'))
    const desktop = await host()
    const tried = [
      join(open, 'a.txt'),
      join(open, 'in.txt'),
      open,
      join(evil, 'a.txt'),
      join(open, 'out.txt'),
      join(open, 'outside', 'a.txt'),
      join(open, '..', 'ws-evil', 'a.txt'),
      join(open, 'missing.txt'),
      'a.txt',
      '',
    ]
    const done = await Promise.all(tried.map((path) => desktop.reveal(path, [open])))
    expect(done).toEqual([true, true, true, false, false, false, false, false, false, false])
    expect(shell.shown.toSorted()).toEqual([join(open, 'a.txt'), join(open, 'a.txt'), open].toSorted())
    expect(await desktop.reveal(join(open, 'a.txt'), [])).toBe(false)
  })

  it('an https address is opened after a confirmation, and the answer says whether it was opened', async () => {
    const desktop = await host()
    dialog.answers.push(0, 1, 0)
    const first = await desktop.openLink('https://example.com/a')
    const second = await desktop.openLink('https://example.com/b')
    shell.hasBrowser = false
    const third = await desktop.openLink('https://example.com/c')
    expect([first, second, third, shell.opened]).toEqual([
      { opened: true, why: null },
      { opened: false, why: null },
      { opened: false, why: 'The system found no program for the address.' },
      ['https://example.com/a'],
    ])
    expect(dialog.asked.map(({ buttons, defaultId, cancelId }) => [buttons, defaultId, cancelId])[0]).toEqual([['Open', 'Cancel'], 1, 1])
  })

  it('a notification is shown, and a click on it brings its session to the front', async () => {
    const shown: (DeepLink | null)[] = []
    const desktop = await host(shown)
    desktop.notify({ title: 'Needs you', body: 'A command waits', sessionId: 's_1' as SessionId })
    expect(Notification.all.map(({ options, visible }) => [options, visible])).toEqual([
      [{ title: 'Needs you', body: 'A command waits' }, true],
    ])
    for (const note of Notification.all) note.emit('click')
    expect(shown).toEqual([{ kind: 'session', sessionId: 's_1' }])
  })

  it('no notification is shown while one of our windows has the focus', async () => {
    const desktop = await host()
    const window = new BrowserWindow()
    window.focus()
    desktop.notify({ title: 'x', body: '', sessionId: 's_1' as SessionId })
    expect(Notification.all).toEqual([])
    BrowserWindow.focused = null
    desktop.notify({ title: 'x', body: '', sessionId: 's_1' as SessionId })
    expect(Notification.all.length).toBe(1)
  })

  it('a notification that the system refuses is reported to the page with the reason, until one is shown', async () => {
    const desktop = await host()
    const note = { title: 'x', body: '', sessionId: 's_1' as SessionId }
    const changes: number[] = []
    desktop.systemTroubles.onChange(() => changes.push(desktop.systemTroubles.current().length))
    Notification.refusal = 'the app is not signed'
    desktop.notify(note)
    desktop.notify(note)
    expect(desktop.systemTroubles.current()).toEqual([
      expect.objectContaining({ title: 'Notifications refused', what: expect.stringContaining('the app is not signed') as unknown }),
    ])
    Notification.refusal = null
    desktop.notify(note)
    expect([desktop.systemTroubles.current(), changes]).toEqual([[], [1, 1, 0]])
  })

  it('a system without notifications causes no error', async () => {
    Notification.supported = false
    ;(await host()).notify({ title: 'x', body: '', sessionId: 's_1' as SessionId })
    expect(Notification.all).toEqual([])
  })
})

describe('deep links', () => {
  it.each([
    ['countersign://open?folder=/code/my%20project', { kind: 'folder', folder: '/code/my project' }, '#folder=%2Fcode%2Fmy%20project'],
    ['countersign://open/?folder=/w', { kind: 'folder', folder: '/w' }, '#folder=%2Fw'],
    ['countersign://session/s_abc-1', { kind: 'session', sessionId: 's_abc-1' }, '#session=s_abc-1'],
  ] as const)('%s is accepted', (text, link, fragment) => {
    expect([parseDeepLink(text), fragmentOf(parseDeepLink(text))]).toEqual([link, fragment])
  })

  it.each([
    '',
    'countersign:',
    'countersign://',
    'countersign://open',
    'countersign://open?folder=',
    'countersign://open?folder=relative',
    'countersign://open?folder=//server/share',
    'countersign://open?folder=%5C%5Cserver%5Cshare',
    'countersign://open?folder=/a%00b',
    'countersign://open?folder=/a%0ab',
    'countersign://open?folder=/a%E2%80%AEb',
    'countersign://open?folder=/a&folder=/b',
    'countersign://open?folder=/a&prompt=rm',
    'countersign://open/x?folder=/a',
    'countersign://open?folder=/a#x',
    'countersign://user@open?folder=/a',
    'countersign://open:80?folder=/a',
    `countersign://open?folder=/${'a'.repeat(4096)}`,
    'countersign://session',
    'countersign://session/',
    'countersign://session/a/b',
    'countersign://session/../x',
    'countersign://session/a?start=1',
    `countersign://session/${'a'.repeat(81)}`,
    'countersign://run?command=x',
    'countersign://session/a --data=/evil',
    'countersign://session/a\n--data=/evil',
    'https://session/a',
  ])('%j is not accepted', (text) => {
    expect(parseDeepLink(text)).toBeNull()
  })
})

describe('command-line flags of the desktop app', () => {
  it('folders are relative to the folder where the command was typed', () => {
    expect(desktopFlags(['--folder', 'p', '--data=/d'], '/home/me')).toEqual({
      folder: '/home/me/p',
      data: '/d',
      sandbox: 'auto',
      link: null,
    })
  })

  it('unknown flags from the system are ignored', () => {
    const opens = (argv: readonly string[]): string | null => desktopFlags(argv, '/home/me').folder
    expect([opens(['.']), opens(['project']), opens(['--no-sandbox', '/a b']), opens(['file:///a%20b'])]).toEqual([
      '/home/me',
      '/home/me/project',
      '/a b',
      '/a b',
    ])
    expect([opens(['--data', '/d', '--sandbox', 'off']), opens(['--folder', 'p', 'q']), opens(['file://server/share'])]).toEqual([
      null,
      '/home/me/p',
      null,
    ])
    expect(desktopFlags(['--no-sandbox', '--type=x', '--folder', '--data', ''], '/')).toEqual({
      folder: null,
      data: null,
      sandbox: 'auto',
      link: null,
    })
  })

  it('if a command line contains two links, both are ignored', () => {
    expect(desktopFlags(['countersign://session/a', 'countersign://session/b'], '/')).toEqual({
      folder: null,
      data: null,
      sandbox: 'auto',
      link: null,
    })
  })
})

describe('crash reports', () => {
  it('contain the cause, but no key from the environment and nothing that looks like a key', () => {
    const env = { OPENAI_API_KEY: 'plain-looking-secret', PATH: '/usr/bin', MY_TOKEN: 'short' }
    const error = new Error('got plain-looking-secret', { cause: new Error('Authorization: Bearer abc.def.ghi') })
    crashReports(folder, '1.2.3', env).write(error, 'a test')
    const [name] = readdirSync(join(folder, 'crashes'))
    const text = readFileSync(join(folder, 'crashes', name ?? ''), 'utf8')
    expect(text).toContain('Countersign 1.2.3')
    expect(text).toContain('In: a test\n\nError: got [key]')
    expect(text).toContain('Caused by: Error: Authorization: Bearer [key]')
    for (const secret of ['plain-looking-secret', 'abc.def.ghi']) expect(text).not.toContain(secret)
  })

  it.each([
    'sk-ant-api03-AAAAAAAAAAAAAAAA',
    'sk-proj-abcdefghijkl',
    'AIzaSyA0123456789012345678901234567890',
    'ghp_012345678901234567890123456789012345',
    'x-api-key: 0123456789',
  ])('%s is removed', (secret) => {
    expect(withoutKeys(`before ${secret} after`, [])).toMatch(/^before .*\[key\] after$/)
    expect(withoutKeys(secret, [])).not.toContain(secret.slice(-8))
  })

  it('contain no key set in the app, whether it was just set, stored or already cleared', async () => {
    const kept = 'Zk3vQ9xT7bLm2RdW8sNc4e'
    const fresh = 'p0Yh6JtUaE1oGqXi5wBfVz'
    await (await desktopSecrets(folder, 'linux')).set('openai', kept)
    const reports = crashReports(folder, '1', {})
    const secrets = hiddenFromReports(await desktopSecrets(folder, 'linux'), reports)
    const text = (): string => {
      const name = readdirSync(join(folder, 'crashes')).toSorted().at(-1) ?? ''
      return readFileSync(join(folder, 'crashes', name), 'utf8')
    }
    expect(await secrets.get('openai')).toBe(kept)
    expect(await secrets.set('gemini', fresh)).toEqual({ ok: true, value: null })
    reports.write(`GET /models?key=${fresh} and ${kept}`, 'a test')
    expect(text()).toContain('GET /models?key=[key] and [key]\n')
    await secrets.clear('gemini')
    reports.write(fresh, 'a test')
    expect(text()).toContain('In: a test\n\n[key]\n')
  })

  it('only the twenty newest are kept, and an unwritable folder causes no second error', () => {
    const reports = crashReports(folder, '1', {})
    for (let index = 0; index < 25; index++) reports.write(`number ${index}`, 'a test')
    expect(readdirSync(join(folder, 'crashes')).length).toBe(20)
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(() => crashReports(file, '1', {}).write('x', 'a test')).not.toThrow()
  })
})
