import { wordList } from '../../shared/lib/word-list.ts'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExecutionEnvironment } from '../../main/agent/ports/execution-environment.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { anthropicProfile } from '../../main/model-families/anthropic.ts'
import { geminiProfile } from '../../main/model-families/gemini.ts'
import { openaiProfile } from '../../main/model-families/openai.ts'
import { projectAgentFiles } from '../../main/prompt/project-agent-files.ts'
import { projectDocuments } from '../../main/prompt/project-documents.ts'
import { projectMemory } from '../../main/prompt/project-memory.ts'
import { createWorkspaces, type Workspace, type Workspaces } from '../../main/workspace/workspaces.ts'
import { commandEffect } from '../support/effects.ts'

let base: string
let workspaces: Workspaces
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-workspace-')))
  mkdirSync(join(base, 'home/projects/app'), { recursive: true })
  workspaces = create(join(base, 'home'))
})
afterEach(async () => {
  await workspaces.closeAll()
  rmSync(base, { recursive: true, force: true })
})

const create = (home: string): Workspaces => createWorkspaces({ createEnvironment: createLocalExecutionEnvironment, home, ownFolders: [] })
const at = (name: string): string => join(base, 'home', name)
const open = async (folder: string): Promise<Workspace> => {
  const result = await workspaces.open(folder)
  if (!result.ok) throw new Error(result.failure.what)
  return result.value
}
const KEPT = 'Nothing was opened or changed.'

/** Runs a body with `workspaces` as an unprivileged user, because root never gets a permission error. */
function asNobody(body: string): unknown {
  const at = (path: string): string => JSON.stringify(new URL(`../../main/${path}`, import.meta.url).href)
  const script = `
    import { createLocalExecutionEnvironment } from ${at('environment/local-environment.ts')}
    import { createWorkspaces } from ${at('workspace/workspaces.ts')}
    const workspaces = createWorkspaces({ createEnvironment: createLocalExecutionEnvironment, home: ${JSON.stringify(join(base, 'home'))}, ownFolders: [] })
    console.log(JSON.stringify(await (async () => { ${body} })()))`
  const isRoot = process.geteuid?.() === 0
  chmodSync(base, 0o755)
  const node = [process.execPath, '--input-type=module-typescript', '-e', script]
  const [program = '', ...args] = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...node] : node
  return JSON.parse(execFileSync(program, args, { encoding: 'utf8' }))
}

describe('one workspace per real folder', () => {
  it('is shared, together with its environment and lock, by everyone who opens the folder, whatever path they use', async () => {
    symlinkSync(at('projects/app'), at('link'))
    const one = await open(at('projects/app'))
    const two = await open('~/link/')
    const other = await open(at('projects'))
    expect([one.folder, two.folder, other.folder]).toEqual([at('projects/app'), at('projects/app'), at('projects')])
    expect(two.environment).toBe(one.environment)
    expect(other.environment).not.toBe(one.environment)
  })

  it('ends its processes when the last user closes it, and closing it twice counts as once', async () => {
    const one = await open(at('projects/app'))
    const two = await open(at('projects/app'))
    const started = Promise.withResolvers<number>()
    const running = one.environment.execCommand('sleep 600', { timeoutMs: 600_000, onStart: started.resolve })
    await started.promise
    await one.close()
    await one.close()
    expect(await Promise.race([running, two.environment.stat('.').then(() => 'runs')])).toBe('runs')
    await two.close()
    expect((await running).exitCode).toBeNull()
    expect((await open(at('projects/app'))).environment).not.toBe(one.environment)
  })

  it('ends its processes when the app closes', async () => {
    const opened = [await open(at('projects/app')), await open(at('projects'))]
    const started = opened.map(() => Promise.withResolvers<number>())
    const running = opened.map(({ environment }, index) =>
      environment.execCommand('sleep 600', { timeoutMs: 600_000, onStart: (pid) => started[index]?.resolve(pid) }),
    )
    await Promise.all(started.map(({ promise }) => promise))
    await workspaces.closeAll()
    expect((await Promise.all(running)).map(({ exitCode }) => exitCode)).toEqual([null, null])
  })

  it('has its folder’s policy and paths', async () => {
    const workspace = await open(at('projects/app'))
    expect(await workspace.place('../x')).toEqual({ path: at('projects/x'), shown: at('projects/x'), outside: true, control: false })
    expect(await workspace.place('~/.bashrc')).toMatchObject({ path: at('.bashrc'), control: true })
    const wipe = commandEffect('rm -rf *', { cwd: workspace.folder })
    expect(
      await workspace.policy.look([
        { ...wipe, command: 'rm x' },
        { ...wipe, command: 'ls' },
      ]),
    ).toMatchObject([
      { command: 'rm x', destructive: true },
      { command: 'ls', destructive: false },
    ])
    expect(workspace.policy.judge([wipe], 'full').kind).toBe('deny')
  })

  it('reads nothing in the folder when opened', async () => {
    execFileSync('mkfifo', [at('projects/app/AGENTS.md')])
    expect((await open(at('projects/app'))).folder).toBe(at('projects/app'))
    expect(await workspaces.inspect(at('projects/app'))).toMatchObject({ ok: true, value: { wouldLoad: [{ path: 'AGENTS.md' }] } })
  })
})

describe('a folder that cannot be opened is an error with a message', () => {
  it.each([
    [
      'missing',
      { code: 'folder_missing', what: 'There is no folder HOME/missing.', kept: KEPT, todo: 'Check the path, or choose another folder.' },
    ],
    ['file', { code: 'folder_is_a_file', what: 'HOME/file is not a folder.', kept: KEPT, todo: 'Choose the folder that contains it.' }],
    [
      'file/below',
      {
        code: 'folder_missing',
        what: 'There is no folder HOME/file/below.',
        kept: KEPT,
        todo: 'Check the path, or choose another folder.',
      },
    ],
    [
      'dangling',
      { code: 'folder_missing', what: 'There is no folder HOME/dangling.', kept: KEPT, todo: 'Check the path, or choose another folder.' },
    ],
    [
      'loop',
      {
        code: 'folder_loop',
        what: 'HOME/loop cannot be opened: its links form a loop.',
        kept: KEPT,
        todo: 'Correct the links, or choose the folder itself.',
      },
    ],
  ])('%s', async (name, trouble) => {
    writeFileSync(at('file'), '')
    symlinkSync('nowhere', at('dangling'))
    symlinkSync('loop', at('loop'))
    const failure = { ...trouble, what: trouble.what.replace('HOME', at('.')) }
    expect(await workspaces.open(at(name))).toEqual({ ok: false, failure })
    expect(await workspaces.inspect(at(name))).toEqual({ ok: false, failure })
  })

  it('if its path contains a NUL or is too long', async () => {
    expect(await workspaces.open('a\0b')).toMatchObject({ ok: false, failure: { code: 'folder_unusable' } })
    expect(await workspaces.open(`/${'x'.repeat(5000)}`)).toMatchObject({ ok: false, failure: { code: 'folder_unusable' } })
  })

  it('if the user may not list it, enter it or enter its parent', () => {
    mkdirSync(at('closed/below'), { recursive: true })
    mkdirSync(at('unlisted'))
    if (process.geteuid?.() === 0) for (const name of ['closed', 'unlisted']) chownSync(at(name), 65_534, 65_534)
    chmodSync(at('closed'), 0o000)
    chmodSync(at('unlisted'), 0o300)
    const results = asNobody(`
      const names = ['closed', 'unlisted', 'closed/below']
      return Promise.all(names.map(async (name) => (await workspaces.open(${JSON.stringify(at('.'))} + '/' + name)).failure))`)
    // Without this, an ordinary user could not remove the folders.
    for (const name of ['closed', 'unlisted']) chmodSync(at(name), 0o755)
    expect(results).toEqual(
      ['closed', 'unlisted', 'closed/below'].map((name) => ({
        code: 'folder_unreadable',
        what: `Your user may not read the folder ${at(name)}.`,
        kept: KEPT,
        todo: 'Give your user the right to read and enter it, or choose another folder.',
      })),
    )
  })
})

describe('root and home', () => {
  it.each([
    ['the root', () => '/'],
    ['home', () => at('.')],
    ['a folder that contains home', () => base],
  ])('%s opens like any other folder', async (_, folder) => {
    expect((await open(folder())).folder).toBe(folder().replace(/\/\.$/u, ''))
  })
})

describe('inspecting a folder reads only names (C13)', () => {
  const plant = (...names: readonly string[]): void => {
    for (const name of names) {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), '')
    }
  }

  it('lists the files that opening the folder would load, from the repository root down', async () => {
    plant(
      'projects/.git/HEAD',
      'projects/AGENTS.md',
      'projects/app/CLAUDE.md',
      'projects/app/.codex/instructions.md',
      'projects/app/.countersign/settings.json',
      'projects/app/.countersign/hooks/deep/on-start.sh',
      'projects/app/.countersign/skills/release/SKILL.md',
      'projects/app/.mcp.json',
      'projects/app/README.md',
      'AGENTS.md',
    )
    expect(await workspaces.inspect('~/projects/app')).toEqual({
      ok: true,
      value: {
        folder: at('projects/app'),
        name: 'app',
        wouldLoad: [
          { path: '../AGENTS.md', kind: 'instructions' },
          { path: 'CLAUDE.md', kind: 'instructions' },
          { path: '.codex/instructions.md', kind: 'instructions' },
          { path: '.countersign/hooks/deep/on-start.sh', kind: 'hooks' },
          { path: '.countersign/settings.json', kind: 'settings' },
          { path: '.countersign/skills/release/SKILL.md', kind: 'skills' },
          { path: '.mcp.json', kind: 'servers' },
        ],
      },
    })
  })

  it('lists every project file that is then read for the prompt, the memory or the agent types', async () => {
    const names = wordList(`
  AGENTS.md AGENTS.override.md CLAUDE.md .claude/CLAUDE.md CLAUDE.local.md GEMINI.md .codex/instructions.md
  .claude/rules/tests/names.md .countersign/memory.md
`)
    const agents = ['.countersign/agents/reviewer.md', '.claude/agents/web/tester.md']
    for (const name of [...names, ...agents, '.countersign/agents/notes.txt', '.countersign/other.md', 'README.md'])
      plant(`projects/app/${name}`)
    const local = createLocalExecutionEnvironment(at('projects/app'))
    const read: string[] = []
    const env: ExecutionEnvironment = {
      ...local,
      readBytes: (path, options) => {
        read.push(relative(at('projects/app'), path))
        return local.readBytes(path, options)
      },
      readFile: () => Promise.reject(new Error('nothing numbered is loaded')),
    }
    const place = { workingDirectory: at('projects/app'), repository: null }
    for (const { projectDocFiles } of [anthropicProfile, openaiProfile, geminiProfile]) await projectDocuments(env, projectDocFiles, place)
    await projectMemory(env)
    await projectAgentFiles(env, at('projects/app'))
    const inspected = await workspaces.inspect(at('projects/app'))
    expect(inspected.ok && inspected.value.wouldLoad.map(({ path }) => path)).toEqual([...names, ...agents])
    expect([...new Set(read)].toSorted()).toEqual([...names, ...agents].toSorted())
  })

  it('lists only files in the folder itself if it is not in a repository', async () => {
    plant('AGENTS.md', 'projects/app/AGENTS.md')
    expect(await workspaces.inspect('projects/app')).toMatchObject({
      value: { folder: at('projects/app'), wouldLoad: [{ path: 'AGENTS.md' }] },
    })
  })

  it('gives the root folder a name', async () => {
    expect(await workspaces.inspect('/')).toMatchObject({ ok: true, value: { folder: '/', name: '/' } })
  })
})

it('only folders that are opened count as projects, not those that the user looks into', async () => {
  const projects: string[] = []
  const watched = createWorkspaces({
    createEnvironment: createLocalExecutionEnvironment,
    onOpen: (folder) => projects.push(folder),
    home: join(base, 'home'),
    ownFolders: [],
  })
  await watched.inspect('~')
  await watched.complete('~/projects/')
  await watched.open('~/projects/app')
  expect(projects).toEqual([at('projects/app')])
  await watched.closeAll()
})

describe('completion of a path', () => {
  beforeEach(() => {
    for (const name of ['Documents', 'Downloads', 'dev', '.hidden', 'projects/api']) mkdirSync(at(name), { recursive: true })
    writeFileSync(at('Diary.txt'), '')
    symlinkSync('projects', at('Dev-link'))
  })

  it.each([
    ['~/D', ['~/Dev-link', '~/Documents', '~/Downloads'], false],
    ['~', ['~/dev', '~/Dev-link', '~/Documents', '~/Downloads', '~/projects'], true],
    ['', ['~/dev', '~/Dev-link', '~/Documents', '~/Downloads', '~/projects'], false],
    ['~/projects/', ['~/projects/api', '~/projects/app'], true],
    ['~/projects', ['~/projects'], true],
    ['~/.h', ['~/.hidden'], false],
    ['~/nothing/x', [], false],
    ['~/Diary.txt', [], false],
    ['projects/a', ['projects/api', 'projects/app'], false],
    ['a\0', [], false],
  ])('%j', async (typed, folders, exists) => {
    expect(await workspaces.complete(typed)).toEqual({ folders, exists })
  })

  it('an absolute path remains absolute', async () => {
    expect(await workspaces.complete(at('projects/ap'))).toEqual({ folders: [at('projects/api'), at('projects/app')], exists: false })
  })

  it('at most 50 folders are suggested', async () => {
    for (let index = 0; index < 60; index++) mkdirSync(at(`many/${index}`), { recursive: true })
    expect((await workspaces.complete('~/many/')).folders).toHaveLength(50)
  })

  it('folders that cannot be opened are left out, and a folder that cannot be listed has no completions', () => {
    mkdirSync(at('Dark/inner'), { recursive: true })
    chmodSync(at('Dark'), 0o000)
    if (process.geteuid?.() === 0) chownSync(at('Dark'), 65_534, 65_534)
    expect(asNobody(`return [await workspaces.complete('~/D'), await workspaces.complete('~/Dark/')]`)).toEqual([
      { folders: ['~/Dev-link', '~/Documents', '~/Downloads'], exists: false },
      { folders: [], exists: true },
    ])
    chmodSync(at('Dark'), 0o700)
    expect(readFileSync(at('Diary.txt'), 'utf8')).toBe('')
  })
})
