import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSettingsFile, type SettingsFile } from '../../main/settings/settings-file.ts'
import { DEFAULT_SETTINGS } from '../../main/settings/default-settings.ts'
import { parseSettings } from '../../main/settings/parse-settings.ts'
import { startChild } from '../store/support/child.ts'
import { containing } from '../store/support/matching.ts'
import { asOtherUser } from '../store/support/other-user.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

const path = (folder: string): string => join(folder, 'settings.json')

function open(folder: string): SettingsFile {
  const settings = openSettingsFile(folder)
  onTestFinished(() => settings.dispose())
  return settings
}

function withText(text: string): { readonly folder: string; readonly settings: SettingsFile } {
  const folder = tempFolder()
  writeFileSync(path(folder), text)
  return { folder, settings: open(folder) }
}

describe('the settings file', () => {
  it('is not created by reading, and without it the defaults apply', () => {
    const folder = tempFolder()
    const settings = open(folder)
    expect(settings.current()).toEqual(DEFAULT_SETTINGS)
    expect(settings.troubles()).toEqual([])
    expect(existsSync(path(folder))).toBe(false)
  })

  it('keeps changes across restarts and is readable only by its owner', () => {
    const folder = tempFolder()
    const settings = open(folder)
    const told: string[] = []
    settings.onChange(() => told.push(settings.current().theme))
    expect(settings.change({ theme: 'dark', baseUrls: { 'openai-compatible': 'http://127.0.0.1:8080/v1' } })).toEqual({
      ok: true,
      value: null,
    })
    const expected = { ...DEFAULT_SETTINGS, theme: 'dark', baseUrls: { 'openai-compatible': 'http://127.0.0.1:8080/v1' } }
    expect(settings.current()).toEqual(expected)
    expect(told).toEqual(['dark'])
    expect(open(folder).current()).toEqual(expected)
    expect(statSync(path(folder)).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })

  it('keeps unknown keys, and invalid values until they are corrected', () => {
    const { folder, settings } = withText('{ "later": {"a": 1}, "maxRounds": "many", "theme": "light" }')
    expect(settings.change({ theme: 'dark' })).toMatchObject({ ok: true })
    expect(JSON.parse(readFileSync(path(folder), 'utf8'))).toEqual({ later: { a: 1 }, maxRounds: 'many', theme: 'dark' })
    settings.change({ maxRounds: 50 })
    expect(settings.current()).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark', maxRounds: 50 })
    expect(settings.troubles().map(({ code }) => code)).toEqual(['settings_unknown_key'])
  })

  it('is changed through a link, and the link is kept', () => {
    const folder = tempFolder()
    mkdirSync(join(folder, 'dotfiles'))
    const target = join(folder, 'dotfiles', 'mine.json')
    writeFileSync(target, '{"theme":"light"}')
    symlinkSync(target, path(folder))
    open(folder).change({ theme: 'dark' })
    expect(lstatSync(path(folder)).isSymbolicLink()).toBe(true)
    expect(readlinkSync(path(folder))).toBe(target)
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ theme: 'dark' })
  })

  it('is read again automatically after another process changes it', async () => {
    const { folder, settings } = withText('{"theme":"light"}')
    const changed = new Promise<void>((resolve) => settings.onChange(resolve))
    writeFileSync(path(folder), '{"theme":"dark"}')
    await changed
    expect(settings.current().theme).toBe('dark')
  })

  it('keeps another process’s change of one field when a different field is changed', () => {
    const folder = tempFolder()
    const one = open(folder)
    const two = open(folder)
    one.change({ theme: 'dark' })
    two.change({ textSize: 'large' })
    expect(open(folder).current()).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark', textSize: 'large' })
  })
})

describe('fault 39: a settings file that cannot be used', () => {
  it('an invalid value affects only itself, and is reported with file, line and field', () => {
    const { folder, settings } = withText('{\n  "theme": "dark",\n  "maxRounds": -3,\n\n  "mode": "fulll", "effort": "high"\n}\n')
    expect(settings.current()).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark', effort: 'high' })
    expect(settings.troubles()).toEqual([
      expect.objectContaining({ code: 'settings_bad_value', what: containing(`${path(folder)}, line 3: "maxRounds"`) }),
      expect.objectContaining({
        code: 'settings_bad_value',
        what: containing(`${path(folder)}, line 5: "mode"`),
        kept: containing('"ask"'),
      }),
    ])
  })

  it('an unknown key is reported and has no effect', () => {
    const { settings } = withText('{"themee": "dark", "__proto__": {"mode": "full"}, "constructor": 1}')
    expect(settings.current()).toEqual(DEFAULT_SETTINGS)
    expect(settings.current().mode).toBe('ask')
    expect(settings.troubles().map(({ code }) => code)).toEqual(Array(3).fill('settings_unknown_key'))
  })

  it('a byte order mark, CRLF and an empty file are allowed', () => {
    expect(withText('\uFEFF{\r\n"theme": "dark"\r\n}').settings.current().theme).toBe('dark')
    expect(withText('').settings.troubles()).toEqual([])
    expect(withText('\uFEFF').settings.change({ theme: 'light' })).toMatchObject({ ok: true })
  })

  const whole = (folder: string): Record<string, string> =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [name, lstatSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), 'latin1') : '']),
    )

  it.each<[string, (file: string) => void, string]>([
    ['not JSON', (file) => writeFileSync(file, '{"mode": "full",}'), 'not valid JSON'],
    ['JSON that is cut off', (file) => writeFileSync(file, '{"mode": "full"'), 'not valid JSON'],
    ['a list', (file) => writeFileSync(file, '["full"]'), 'JSON object'],
    ['null', (file) => writeFileSync(file, 'null'), 'JSON object'],
    ['bytes that are not text', (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0, 1, 2])), 'not valid JSON'],
    ['a file of 10 MB', (file) => writeFileSync(file, `{"mode": "full"}${' '.repeat(10 * 1024 * 1024)}`), '10485776 bytes'],
    ['a folder', (file) => mkdirSync(file), 'is not a file'],
    ['a link to itself', (file) => symlinkSync(file, file), 'cannot be read'],
    ['a link without a target', (file) => symlinkSync(`${file}.gone`, file), 'cannot be read'],
  ])('%s: the restrictive defaults apply, the file is reported and never overwritten', (_, make, words) => {
    const folder = tempFolder()
    make(path(folder))
    const before = whole(folder)
    const settings = open(folder)
    expect(settings.current()).toEqual(DEFAULT_SETTINGS)
    expect(settings.current().mode).toBe('ask')
    expect(settings.troubles()).toEqual([expect.objectContaining({ code: 'settings_unusable', what: containing(words) })])
    expect(settings.troubles()[0]?.what).toContain(path(folder))
    expect(settings.change({ theme: 'dark' })).toMatchObject({ ok: false, failure: { code: 'settings_not_saved' } })
    expect(settings.current()).toEqual(DEFAULT_SETTINGS)
    expect(whole(folder)).toEqual(before)
  })

  it('a syntax error is reported with its line', () => {
    expect(withText('{\n "theme": "dark",\n "mode" "ask"\n}').settings.troubles()[0]?.what).toContain('line 3')
  })

  const other = asOtherUser()
  it.skipIf(!other)('a file that this user cannot read or write is reported and left unchanged (needs Linux and root)', async () => {
    const folder = tempFolder()
    writeFileSync(path(folder), '{"mode":"full"}')
    chmodSync(folder, 0o755)
    chmodSync(path(folder), 0o600)
    expect(await startChild('settings-reader', [folder], other ?? []).next()).toEqual({
      mode: 'ask',
      troubles: ['settings_unusable'],
      change: 'settings_not_saved',
    })
    chmodSync(path(folder), 0o644)
    expect(await startChild('settings-reader', [folder], other ?? []).next()).toEqual({
      mode: 'full',
      troubles: [],
      change: 'settings_not_saved',
    })
    expect(readFileSync(path(folder), 'utf8')).toBe('{"mode":"full"}')
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })

  it('no file content makes the parser throw, and an invalid mode becomes ask', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((mode) => JSON.stringify({ mode })),
        ),
        (text) => {
          const { settings, raw } = parseSettings(text, 'settings.json')
          const said = raw && Object.hasOwn(raw, 'mode') ? raw['mode'] : null
          expect(settings.mode).toBe(['plan', 'ask', 'accept-edits', 'auto', 'full'].find((mode) => mode === said) ?? 'ask')
        },
      ),
    )
  })
})
