import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { runAgent } from '../headless/support/agent-process.ts'
import { place } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { checkStore, killRounds } from './kill-rounds.ts'

const TASKS = ['CHILD-ONE', 'CHILD-TWO'] as const
const edit = (line: number, text: string) => calls(call('shell', { command: `sed -i '${line}s/.*/${text}/' a.txt` }))
const LINES = Array.from({ length: 9 }, (_, n) => `line ${n + 1}`)

/** Creates a project whose model starts two subagents. Each subagent changes a different line of the same file with a command. */
async function twoSubagents() {
  const at = await place(({ body }) => {
    const said = JSON.stringify(body.messages)
    const isChild = TASKS.find((task) => said.includes(task) && !said.includes('Begin'))
    if (isChild) return said.includes('sed -i') ? say('Finished.') : isChild === 'CHILD-ONE' ? edit(2, 'from one') : edit(8, 'from two')
    return said.includes('CHILD-ONE') ? say('Done.') : calls(...TASKS.map((prompt) => call('task', { agent_type: 'code', prompt })))
  })
  writeFileSync(join(at.cwd, 'a.txt'), `${LINES.join('\n')}\n`)
  writeFileSync(join(at.cwd, 'mine.txt'), 'mine\n')
  return at
}

const namesIn = (path: string): readonly string[] => (existsSync(path) ? readdirSync(path) : [])

test.skipIf(hasNoCopies)(
  'whichever disk write the kill precedes, each change of a subagent is in the folder once or not at all, and no copy is left',
  { timeout: 900_000 },
  async () => {
    const at = await twoSubagents()
    const text = (...made: readonly boolean[]): string =>
      `${LINES.with(1, made[0] ? 'from one' : 'line 2')
        .with(7, made[1] ? 'from two' : 'line 8')
        .join('\n')}\n`
    const checkEnd = (killed: unknown, allowed: readonly string[]): void => {
      expect([killed, allowed]).toEqual([killed, expect.arrayContaining([readFileSync(join(at.cwd, 'a.txt'), 'utf8')])])
      expect([killed, readdirSync(at.cwd).toSorted()]).toEqual([killed, ['a.txt', 'mine.txt']])
      expect([killed, namesIn(join(at.data, 'subagents')), namesIn(join(at.data, 'copies'))]).toEqual([killed, [], []])
    }
    await killRounds(at, ['--approve', 'edits', 'Begin'], {
      rounds: 60,
      whole: async () => checkEnd('whole', [text(true, true)]),
      async check(killed) {
        await runAgent(['export', 's_none'], at)
        await checkStore(at.data, killed)
        await runAgent(['--continue', '--approve', 'edits'], at)
        // The app reports an interrupted command to the model, and this model does not repeat it.
        checkEnd(killed, [text(true, true), text(true, false), text(false, true), text(false, false)])
      },
    })
  },
)
