import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { openFamily } from '../subagents/support/family.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { answer, broughtIn, changedPaths, request, run, text } from './support/beside.ts'

const DONE = say('Done.')
const task = (prompt: string) => call('task', { agent_type: 'code', prompt })

describe.skipIf(hasNoCopies)('subagents of subagents, where a session allows them', { timeout: 60_000 }, () => {
  it('write side by side, and their work comes back layer by layer, also to the same file', async () => {
    const family = await openFamily(
      ({ who, round }) => {
        if (who === 'PARENT')
          return [run('echo mine > mine.txt'), calls(task('CHILD-ONE')), run('cat one.txt two.txt three.txt')][round] ?? DONE
        if (who === 'CHILD-ONE')
          return [run("sed 's/$/ one/' mine.txt > one.txt; seq 9 > both.txt"), calls(task('CHILD-TWO'), task('CHILD-THREE'))][round] ?? DONE
        const [name, line] = who === 'CHILD-TWO' ? ['two', 1] : ['three', 9]
        return round === 0 ? run(`sed 's/$/ ${name}/' one.txt > ${name}.txt; sed -i '${line}s/.*/${name}/' both.txt`) : DONE
      },
      { mode: 'ask', where: { kind: 'beside' }, watched: true, session: { maxSubagentDepth: 2 } },
    )
    await family.ask()
    const last = JSON.stringify(family.model.requests.at(-1)?.body.messages.at(-1))
    expect(last).toContain(['mine one', 'mine one two', 'mine one three'].join('\\n'))
    const levels = family.app.store.sessions.list().flatMap(({ parent }) => (parent ? [`${parent.depth} ${parent.ownCopy}`] : []))
    expect(levels.toSorted()).toEqual(['1 true', '2 true', '2 true'])
    expect(readdirSync(family.folder)).toEqual([])
    const session = await broughtIn(family)
    expect(changedPaths(await request(session))).toEqual(['both.txt', 'mine.txt', 'one.txt', 'three.txt', 'two.txt'])
    await answer(session, { kind: 'sign' })
    expect(text(family, 'both.txt')).toBe(['two', 2, 3, 4, 5, 6, 7, 8, 'three', ''].join('\n'))
  })
})
