import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CORPUS, madeLine } from '../../../approval/support/reading-lines.ts'
import { plant } from '../../support.ts'
import { hasNoCopies, openCopies, treeOf } from '../support.ts'

/** Matches lines that may run until they are stopped. */
const ENDLESS = /\(\)\s*\{|\byes\b|\bsleep\b|\/dev\/(?:zero|u?random)|watch|while (?:true|:)/u

/** Matches lines whose last command may still write after the line has ended, so a list made at that point would be incomplete. */
const DETACHED = / & |coproc/u

const FILES = {
  'a.ts': 'foo\nbar a w b\n',
  'b.txt': 'x,1\ny,2\nfoo\n',
  'c.json': '{"name":"n","a":[{"b":1}]}',
  '.env': 'KEY=1\n',
  'src/a.ts': 'foo\n',
  'src/deep/b.ts': 'later\n',
  'dist/out.js': 'built\n',
  'run.sh': 'echo hi > made.txt\n',
}

/**
 * A bash line that lists a folder: kinds, permissions, link targets and the hashes of all files. Special files are left out, because they
 * are not applied.
 */
const LIST = `find . -mindepth 1 \\( -type f -o -type d -o -type l \\) -printf '%y %m %p -> %l\\n' | LC_ALL=C sort; find . -type f -exec sha256sum {} + | LC_ALL=C sort`

/**
 * Tests every `oneIn`th hand-written line, and `made` lines generated from bash's grammar, in a copy: nothing outside the copy changes, and
 * applying the change set makes the folder identical to the copy. Without a `seed`, each run generates other lines.
 */
export function corpusPromises(oneIn: number, made: number, seed?: number): void {
  const isShort = (line: string): boolean => !ENDLESS.test(line)
  const written = CORPUS.filter(isShort).filter((_, at) => at % oneIn === 0)
  const lines = [
    ...written,
    ...fc.sample(
      madeLine.filter((line) => isShort(line) && !DETACHED.test(line)),
      { numRuns: made, ...(seed !== undefined && { seed }) },
    ),
  ]

  it.skipIf(hasNoCopies)(
    `${written.length} hand-written and ${made} generated command lines change nothing outside of their copies, and their change sets contain every difference`,
    async () => {
      const { copies, folder, base } = openCopies(FILES)
      const home = join(base, 'home')
      plant(home, { '.ssh/id_rsa': 'key\n', '.profile': 'true\n', 'work/other.txt': 'other\n' })
      mkdirSync(join(base, 'out'))
      symlinkSync('../home', join(folder, 'link'))
      const before = process.env['HOME']
      process.env['HOME'] = home
      try {
        execFileSync(
          'bash',
          ['-c', 'git init -q; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first; cp -a . ../kept'],
          {
            cwd: folder,
          },
        )
        let compared = 0
        for (const line of lines) if (await runLine(line, { copies, folder, base })) compared++
        expect(compared).toBeGreaterThan(lines.length / 2)
      } finally {
        if (before === undefined) delete process.env['HOME']
        else process.env['HOME'] = before
      }
    },
    1_800_000,
  )
}

type Place = Pick<ReturnType<typeof openCopies>, 'copies' | 'folder' | 'base'>

/** Runs a line. Returns whether it left a change set that could be compared. */
async function runLine(line: string, { copies, folder, base }: Place): Promise<boolean> {
  const outside = withoutLayers(base)
  const ended = await copies.run(`( eval "$LINE" ) </dev/null >/dev/null 2>&1; echo listed; ${LIST}; echo ended`, {
    envVars: { LINE: line },
    timeoutMs: 8_000,
  })
  expect(withoutLayers(base), line).toEqual(outside)
  // A line that did not end in time has no complete list.
  const [, listed] = /^listed\n([^]*)ended\n$/u.exec(ended.result.stdout) ?? []
  if (listed === undefined || ended.changeSet.obstacles.length > 0 || !ended.result.complete) {
    await ended.drop()
    return false
  }
  expect(await ended.apply(), line).toEqual({ kind: 'applied' })
  expect(execFileSync('bash', ['-c', LIST], { cwd: folder, encoding: 'utf8' }), line).toBe(listed)
  if (ended.changeSet.changes.length > 0) {
    rmSync(folder, { recursive: true })
    execFileSync('cp', ['-a', join(base, 'kept'), folder])
  }
  return true
}

/** Returns everything below `base` except the data folder. That folder contains the layers, whose work folders only root may list. */
const withoutLayers = (base: string): object => treeOf(base, new Set(['data']))
