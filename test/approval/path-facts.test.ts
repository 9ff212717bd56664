import { wordList } from '../../shared/lib/word-list.ts'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isControlFile } from '../../main/approval/control-files.ts'
import { createPathFacts } from '../../main/approval/path-facts.ts'
import { isInside } from '../../main/is-inside.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'

let base: string
let root: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-place-')))
  root = join(base, 'ws')
  mkdirSync(join(root, 'sub'), { recursive: true })
  mkdirSync(join(base, 'ws-evil'))
  mkdirSync(join(base, 'home'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const placeOf = (path: string, platform?: string) => {
  const env = createLocalExecutionEnvironment(root)
  const local = platform === undefined ? env : { ...env, platform: () => platform }
  return createPathFacts({ env: local, root, home: join(base, 'home'), ownFolders: [join(root, 'data')] })(path)
}
const inside = (shown: string, more: object = {}) => ({ path: join(root, shown), shown, outside: false, control: false, ...more })
const outside = (path: string, more: object = {}) => ({ path, shown: path, outside: true, control: false, ...more })

describe('C9: the location of a path', () => {
  it('is compared by path components, not by string prefix', async () => {
    expect(await placeOf(join(base, 'ws-evil/x'))).toEqual(outside(join(base, 'ws-evil/x')))
    expect(await placeOf('../ws-evil/x')).toEqual(outside(join(base, 'ws-evil/x')))
    expect(await placeOf('../ws/x')).toEqual(inside('x'))
    expect(await placeOf('..x/y')).toEqual(inside('..x/y'))
    expect(await placeOf('.')).toEqual({ path: root, shown: '.', outside: false, control: false })
    expect(await placeOf('..')).toEqual(outside(base))
  })

  it('is decided by the target of a link, even of a dangling link or a linked parent folder', async () => {
    writeFileSync(join(base, 'secret'), '')
    symlinkSync(join(base, 'secret'), join(root, 'file-link'))
    symlinkSync(base, join(root, 'folder-link'))
    symlinkSync(join(base, 'not/yet'), join(root, 'dangling'))
    symlinkSync('sub', join(root, 'inner-link'))
    expect(await placeOf('file-link')).toEqual(outside(join(base, 'secret')))
    expect(await placeOf('folder-link/new/file')).toEqual(outside(join(base, 'new/file')))
    expect(await placeOf('folder-link/ws/x')).toEqual(inside('x'))
    expect(await placeOf('dangling')).toEqual(outside(join(base, 'not/yet')))
    expect(await placeOf('dangling/below')).toEqual(outside(join(base, 'not/yet/below')))
    expect(await placeOf('inner-link/x')).toEqual(inside('sub/x'))
  })

  it('/proc/self/root and the like resolve to their targets', async () => {
    expect(await placeOf(`/proc/self/root${root}/x`)).toEqual(inside('x'))
    expect(await placeOf('/proc/self/cwd/../../../../../../etc/hostname')).toMatchObject({ outside: true })
  })

  it('~ is the home folder only at the beginning of a path, and never another user’s home folder', async () => {
    expect(await placeOf('~/x')).toEqual(outside(join(base, 'home/x')))
    expect(await placeOf('~')).toEqual(outside(join(base, 'home')))
    expect(await placeOf('~root/x')).toEqual(inside('~root/x'))
    expect(await placeOf('sub/~/x')).toEqual(inside('sub/~/x'))
  })

  it.each([
    ['a\0b', 'EINVAL'],
    ['', 'EINVAL'],
    ['x'.repeat(5000), 'ENAMETOOLONG'],
  ])('%j is not a path: %s', async (path, code) => {
    await expect(placeOf(path)).rejects.toMatchObject({ code })
  })

  it('a path through circular links is an error', async () => {
    symlinkSync('b', join(root, 'a'))
    symlinkSync('a', join(root, 'b'))
    await expect(placeOf('a')).rejects.toMatchObject({ code: 'ELOOP' })
  })

  it.each(['\\\\server\\share\\x', '//server/share', '\\\\?\\C:\\x', '\\??\\C:\\x', 'C:relative', 'file.txt:stream', 'C:\\a\\b:stream'])(
    'on Windows %s is refused: it would leak the password or bypass the checks',
    async (path) => {
      await expect(placeOf(path, 'win32')).rejects.toMatchObject({ code: 'EINVAL' })
    },
  )

  it('a path without ".." that is joined to the root is inside the root', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
      .filter((text) => !/[/\0]/u.test(text) && text !== '.' && text !== '..')
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
        expect(isInside('/ws', join('/ws', ...names))).toBe(true)
        expect(isInside('/ws', `/ws${names[0] ?? ''}/x`)).toBe(false)
        expect(isInside('/ws', join('/ws', '..', ...names))).toBe(names[0] === 'ws')
      }),
    )
  })
})

describe('C12: control files', () => {
  it.each(
    wordList(`
  .countersign/settings.json .countersign/hooks/pre .mcp.json .git/config .git/hooks/pre-commit .git sub/.git/HEAD .gitattributes
  .gitmodules .vscode/tasks.json .idea/workspace.xml x.code-workspace .envrc .env .env.local package.json packages/a/package.json
  .npmrc AGENTS.md sub/CLAUDE.md GEMINI.md .codex/instructions.md .husky/pre-commit .github/workflows/ci.yml AGENTS.override.md
  .windsurfrules .clinerules .clinerules/a.md .github/copilot-instructions.md .zed/tasks.json lefthook.yml .lefthook.toml
  lefthook-local.yaml .simple-git-hooks.json .pre-commit-config.yml deno.json pnpm-workspace.yaml .yarn/releases/yarn.cjs
  sub/.cargo/config.toml .config/mise/config.toml .exrc
`),
  )('%s is a control file, even before it exists', async (path) => {
    expect(await placeOf(path)).toEqual(inside(path, { control: true }))
  })

  it.each(['~/.bashrc', '~/.ssh/config', '~/.zshrc', '~/Library/LaunchAgents/x.plist', '~/.config/autostart/x.desktop', '~/.gitconfig'])(
    'outside the folder, %s is a control file',
    async (path) => {
      expect(await placeOf(path)).toMatchObject({ outside: true, control: true })
    },
  )

  it.each([
    ['different letter case', '.GIT/hooks/x'],
    ['different letter case', 'Agents.MD'],
    ['a dot that Windows drops', '.git./config'],
    ['a space that Windows drops', '.git /config'],
    ['the short name on Windows', 'GIT~1/config'],
    ['a zero-width character', '.g\u200cit/config'],
    ['the name of an NTFS stream', '.npmrc:x'],
    ['the Kelvin sign for a k', 'pac\u212aage.json'],
    ['the long s for an s', '.vſcode/tasks.json'],
  ])('%s does not hide a control file: %j', async (_, path) => {
    expect(await placeOf(path)).toMatchObject({ control: true })
  })

  it('a control file is recognized even if it is a link or is reached through a link', async () => {
    mkdirSync(join(root, '.vscode'))
    mkdirSync(join(root, 'settings'))
    symlinkSync('.vscode', join(root, 'innocent'))
    symlinkSync('settings', join(root, '.idea'))
    expect(await placeOf('innocent/tasks.json')).toEqual(inside('.vscode/tasks.json', { control: true }))
    expect(await placeOf('.idea/x.xml')).toEqual(inside('settings/x.xml', { control: true }))
  })

  it('our own data folder counts as a control file', async () => {
    expect(await placeOf('data/anything')).toMatchObject({ control: true })
    expect(await placeOf('database')).toMatchObject({ control: false })
  })

  it.each(
    wordList(`
  src/a.ts README.md .gitignore git/config vscode/tasks.json my-package.json package.json.ts environment .github/README.md
  config/fish.ts .cargo/registry/x .yarn/cache/a.zip src/lefthook.ts.md/a .github/prompts.md pnpm-lock.yaml
`),
  )('%s is not a control file', async (path) => {
    expect(await placeOf(path)).toEqual(inside(path))
  })

  it('the project folder is not a control file', () => {
    expect(isControlFile(['src', 'a.ts'])).toBe(false)
    expect(isControlFile([])).toBe(false)
  })
})
