import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPathFacts } from '../../main/approval/path-facts.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import type { CommandEffect } from '../../shared/session/effects.ts'
import { commandEffect } from '../support/effects.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Creates a project folder, and next to it, where no agent works, a program that leaves a mark when it is started. */
async function project() {
  const base = temporaryFolder('git-programs')
  const root = join(base, 'project')
  const program = join(base, 'program')
  mkdirSync(root)
  writeFileSync(program, `#!/bin/sh\ntouch '${base}/started'\necho\n`)
  chmodSync(program, 0o755)
  return { base, root, program, started: () => existsSync(join(base, 'started')) }
}

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

function repository(at: string): void {
  mkdirSync(at, { recursive: true })
  git(at, 'init', '-q')
  writeFileSync(join(at, 'a.txt'), 'a\n')
  git(at, 'add', '.')
  git(at, 'commit', '-qm', 'a')
}

interface Made {
  readonly base: string
  readonly root: string
  readonly program: string
}
const configure = (at: string, text: string): void => appendFileSync(join(at, '.git/config'), text)

/** Ways in which a repository can make a read-only command start a program. Each command is run, to prove that it does. */
const ATTACKS: Readonly<Record<string, { readonly line: string; make(made: Made): void }>> = {
  'a setting': {
    line: 'git status',
    make({ root, program }) {
      repository(root)
      configure(root, `[core]\n\tfsmonitor = ${program}\n`)
    },
  },
  'a second section in the same line': {
    line: 'git status',
    make({ root, program }) {
      repository(root)
      configure(root, `[a][core]fsmonitor = ${program}\n`)
    },
  },
  'a section that is the continuation of a value': {
    line: 'git status',
    make({ root, program }) {
      repository(root)
      configure(root, `[core]\n\tx = y \\\n[user]\n\tfsmonitor = ${program}\n`)
    },
  },
  'a folder that names another repository’s settings': {
    line: 'git status',
    make({ base, root, program }) {
      repository(root)
      repository(join(base, 'other'))
      configure(join(base, 'other'), `[core]\n\tfsmonitor = ${program}\n`)
      writeFileSync(join(root, '.git/commondir'), join(base, 'other/.git'))
    },
  },
  'a repository above the project': {
    line: 'git status',
    make({ base, root, program }) {
      repository(base)
      configure(base, `[core]\n\tfsmonitor = ${program}\n`)
      writeFileSync(join(root, 'b.txt'), '')
    },
  },
  'a folder that has the files of a repository': {
    line: 'cd docs && git status',
    make({ root, program }) {
      repository(root)
      for (const name of ['objects', 'refs', 'tree']) mkdirSync(join(root, 'docs', name), { recursive: true })
      writeFileSync(join(root, 'docs/HEAD'), 'ref: refs/heads/main\n')
      writeFileSync(
        join(root, 'docs/config'),
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = tree\n\tfsmonitor = ${program}\n`,
      )
    },
  },
  'the settings of a submodule': {
    line: 'git status',
    make({ root, program }) {
      repository(root)
      repository(join(root, 'inner'))
      git(root, 'add', 'inner')
      git(root, 'commit', '-qm', 'inner')
      configure(join(root, 'inner'), `[core]\n\tfsmonitor = ${program}\n`)
    },
  },
  'a hook that runs when git stores new file times': {
    line: 'git diff',
    make({ root, program }) {
      repository(root)
      utimesSync(join(root, 'a.txt'), 1, 1)
      writeFileSync(join(root, '.git/hooks/post-index-change'), `#!/bin/sh\nexec '${program}'\n`, { mode: 0o755 })
    },
  },
  'an object that git fetches when it is read': {
    line: 'git show',
    make({ root, program }) {
      repository(root)
      const hash = git(root, 'rev-parse', 'HEAD:a.txt').trim()
      unlinkSync(join(root, '.git/objects', hash.slice(0, 2), hash.slice(2)))
      configure(root, `[remote "o"]\n\tpromisor = true\n\turl = ext::${program}\n[protocol "ext"]\n\tallow = always\n`)
    },
  },
}

async function verdictOn(line: string, { root, base }: Made) {
  const env = createLocalExecutionEnvironment(root)
  const policy = createPolicy({ root, home: base, disk: { env, place: createPathFacts({ env, root, home: base }) } })
  const command: CommandEffect = commandEffect(line, { cwd: root })
  return policy.judge(await policy.look([command]), 'ask')
}

describe('a git command that would start a program of the repository needs approval, although it only reads', () => {
  it.each(Object.entries(ATTACKS))('%s', async (_, { line, make }) => {
    const made = await project()
    make(made)
    expect(await verdictOn(line, made)).toMatchObject({
      kind: 'ask',
      reason: expect.stringMatching(/^git may start a program that is set in/u),
    })
    expect(made.started()).toBe(false)
    try {
      execFileSync('sh', ['-c', line], { cwd: made.root, stdio: 'ignore', env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' } })
    } catch {
      // The line may fail, because some of these repositories are damaged.
    }
    expect(made.started()).toBe(true)
  })

  it('commands in an ordinary repository need no approval, even with a submodule if they do not enter it', async () => {
    const made = await project()
    repository(made.root)
    configure(
      made.root,
      '[remote "origin"]\n\turl = https://example.org/a.git\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
    )
    const lines = ['git status', 'git diff', 'git log -p', 'git show HEAD']
    const kinds = async () => Promise.all(lines.map(async (line) => (await verdictOn(line, made)).kind))
    expect(await kinds()).toEqual(['allow', 'allow', 'allow', 'allow'])
    repository(join(made.root, 'inner'))
    git(made.root, 'add', 'inner')
    expect(await kinds()).toEqual(['ask', 'ask', 'allow', 'allow'])
    rmSync(join(made.root, '.git/index'))
    mkdirSync(join(made.root, '.git/index'))
    expect((await verdictOn('git status', made)).kind).toBe('ask')
  })
})
