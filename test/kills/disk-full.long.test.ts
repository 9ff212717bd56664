import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runAgent, startAgent } from '../headless/support/agent-process.ts'
import { place } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { NO_SMALL_DISK, smallDisk } from '../support/small-disk.ts'
import { checkStore } from './kill-rounds.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const OLD = 'old\n'.repeat(3_000)
const NEW = 'new\n'.repeat(9_000)
const ROUNDS = 20

test(
  'whichever write fills the disk, every file has either its complete old or its complete new content, and the next run works',
  { timeout: 900_000 },
  async ({ skip }) => {
    const disk = smallDisk(16)
    if (!disk) return skip(NO_SMALL_DISK)
    onTestFinished(() => disk.remove())
    const kept = temporaryFolder('count')
    const at = {
      ...(await place(({ body }) => {
        const said = JSON.stringify(body.messages)
        if (said.includes('Hello')) return say('Hello.')
        if (!said.includes('read_file')) return calls(call('read_file', { file_path: 'a.txt' }))
        return said.includes('write_file')
          ? say('Done.')
          : calls(call('write_file', { file_path: 'a.txt', content: NEW }), call('write_file', { file_path: 'b.txt', content: NEW }))
      })),
      cwd: join(disk.path, 'project'),
      data: join(disk.path, 'data'),
    }
    const ballast = join(disk.path, 'ballast')
    const count = join(kept, 'count')
    const run = async (fillAt: number) => {
      for (const folder of [at.cwd, at.data]) rmSync(folder, { recursive: true, force: true })
      rmSync(count, { force: true })
      mkdirSync(at.cwd)
      writeFileSync(join(at.cwd, 'a.txt'), OLD)
      const env = {
        ...at.env,
        NODE_OPTIONS: `--import=${join(import.meta.dirname, 'kill-at-write.ts')}`,
        KILL_AT: `${fillAt}`,
        KILL_COUNT: count,
        FILL_DISK: ballast,
      }
      const { child, outcome } = startAgent(['--approve', 'all', '--sandbox', 'off', 'Begin'], { ...at, env })
      const timer = setTimeout(() => child.kill('SIGABRT'), 60_000)
      const { code, stderr } = await outcome
      clearTimeout(timer)
      return { code, stderr, changes: readFileSync(count, 'utf8').trimEnd().split('\n') }
    }
    const { changes } = await run(0)
    const step = Math.max(1, Math.floor(changes.length / ROUNDS))
    let fills = 0
    for (let fillAt = step; fillAt <= changes.length; fillAt += step) {
      const { code, stderr, changes: made } = await run(fillAt)
      // The number of changes differs by a few from run to run, so this run may end before the change at which the disk would be filled.
      if (made.length < fillAt) continue
      fills++
      const round = { at: fillAt, before: changes[fillAt - 1]?.trim() ?? '' }
      expect([round, code, stderr]).toEqual([round, expect.any(Number), stderr])
      const isFull = existsSync(ballast)
      rmSync(ballast, { force: true })
      expect([round, isFull]).toEqual([round, true])
      if (code !== 0) expect([round, stderr]).toEqual([round, expect.stringMatching(/full|ENOSPC|no space/iu)])
      for (const name of readdirSync(at.cwd)) {
        const text = readFileSync(join(at.cwd, name), 'utf8')
        expect([round, name, text === NEW || (name === 'a.txt' && text === OLD), text.length]).toEqual([round, name, true, text.length])
      }
      expect([round, readdirSync(at.cwd).every((name) => ['a.txt', 'b.txt'].includes(name))]).toEqual([round, true])
      const next = await runAgent(['--approve', 'all', '--sandbox', 'off', 'Hello'], at)
      expect([round, next.code, next.stderr]).toEqual([round, 0, ''])
      await checkStore(at.data, round)
    }
    expect(fills).toBeGreaterThan(ROUNDS / 2)
  },
)
