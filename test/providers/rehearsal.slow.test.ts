import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DAY_BODIES, DAY_FILE, type DayBody, SAMPLE_FILES } from '../../main/providers/rehearsal/sample-files.ts'
import { type Decision, rehearsed } from './support/rehearsed.ts'

const dayFile = (body: DayBody): string => (SAMPLE_FILES[DAY_FILE] ?? '').replace(DAY_BODIES.utc, () => DAY_BODIES[body])
const READS = ['read_file done', 'read_file done'] as const
const prose = (told: readonly string[]): string => told.filter((line) => !/^\w+ \w+$/.test(line)).join('\n')
const steps = (told: readonly string[]): readonly string[] => told.filter((line) => /^\w+ \w+$/.test(line))

describe('the rehearsal reacts to real events', () => {
  test('everything signed: the first edit breaks another test, which it reports and fixes', async () => {
    const { turn, file } = await rehearsed()
    const told = await turn()
    expect(steps(told)).toEqual([...READS, ...READS, 'edit_file done', 'shell failed', 'edit_file done', 'shell done'])
    expect(prose(told)).toContain('The test “text that is not a date is rejected” fails. My edit removed the check')
    expect(prose(told)).toContain('All 8 tests pass')
    expect(await file('src/day.js')).toBe(dayFile('matched'))
  })

  test('the first edit refused with a note: it quotes the note and proposes another, which passes', async () => {
    const { turn, file } = await rehearsed()
    const told = await turn(undefined, (_, index) => (index === 0 ? { refuse: 'Keep the check that rejects other text.' } : 'sign'))
    expect(steps(told)).toEqual([...READS, ...READS, 'edit_file refused', 'edit_file done', 'shell done'])
    expect(prose(told)).toContain('“Keep the check that rejects other text.”')
    expect(await file('src/day.js')).toBe(dayFile('matched'))
  })

  test('the first edit refused with a request for less: it proposes the smallest edit', async () => {
    const { turn, file } = await rehearsed()
    await turn(undefined, (_, index) => (index === 0 ? { refuse: 'Change only what makes the test fail.' } : 'sign'))
    expect(await file('src/day.js')).toBe(dayFile('read in utc'))
  })

  test('every edit refused: it ends, and says that the test still fails and that nothing was changed', async () => {
    const { turn, file, rig } = await rehearsed()
    const told = await turn(undefined, () => ({ refuse: null }))
    expect(steps(told).slice(4)).toEqual(['edit_file refused', 'edit_file refused', 'edit_file refused'])
    expect(told.at(-1)).toContain('its test still fails')
    expect(rig.session.state().ended).toBe('completed')
    for (const [path, content] of Object.entries(SAMPLE_FILES)) expect(await file(path)).toBe(content)
  })

  test('the test run refused: it does not claim success, and runs the tests on request', async () => {
    const { turn } = await rehearsed()
    const first = await turn(undefined, ({ toolName }, index) => (index === 0 || toolName === 'shell' ? { refuse: 'Not now.' } : 'sign'))
    expect(first.at(-1)).toMatch(/“Not now\.”[\s\S]*not tested/)
    const second = await turn('You may run it now.')
    expect(steps(second)).toEqual(['shell done'])
    expect(prose(second)).toMatch(/You asked: “You may run it now\.”[\s\S]*All 8 tests pass/)
  })

  test('stopped while an edit waits: it proposes the same edit again', async () => {
    const { turn } = await rehearsed()
    const first = await turn(undefined, () => 'stop')
    expect(steps(first)).toEqual([...READS, ...READS, 'edit_file stopped', 'notice stopped'])
    const second = await turn('Go on.')
    expect(steps(second)).toEqual(['edit_file done', 'shell failed', 'edit_file done', 'shell done'])
  })

  test('a message during the turn: it answers and continues', async () => {
    const { turn, rig } = await rehearsed()
    const told = await turn(undefined, (_, index) => {
      if (index === 0) rig.session.submit('Please use a library for this.')
      return 'sign'
    })
    expect(prose(told)).toMatch(/You asked: “Please use a library for this\.” This is a rehearsal/)
    expect(steps(told).at(-1)).toBe('shell done')
  })

  test('any other request: it says what it can do, and does it', async () => {
    const { turn } = await rehearsed()
    const told = await turn('Write me a web server.')
    expect(told[0]).toMatch(/^You asked: “Write me a web server\.” This is a rehearsal/)
    expect(prose(told)).toContain('All 8 tests pass')
  })

  test('after the rehearsal has ended, it makes no more changes', async () => {
    const { turn, file } = await rehearsed()
    await turn()
    const before = await file('src/day.js')
    const told = await turn('Make it faster.')
    expect(steps(told)).toEqual([])
    expect(prose(told)).toMatch(/^You asked: “Make it faster\.”[\s\S]*has nothing left to do/)
    expect(await file('src/day.js')).toBe(before)
  })

  test('the file changed between proposal and signature: it reads the file again and continues', async () => {
    const { turn, file, rig } = await rehearsed()
    const told = await turn(undefined, async (_, index): Promise<Decision> => {
      if (index === 0) await writeFile(join(rig.folder, 'src/day.js'), `// Mine.\n${dayFile('utc')}`)
      return 'sign'
    })
    expect(steps(told).at(-1)).toBe('shell done')
    expect(await file('src/day.js')).toBe(`// Mine.\n${dayFile('matched')}`)
  })

  test('the file changed before the start: it leaves the file alone', async () => {
    const { turn, rig, file } = await rehearsed()
    await writeFile(join(rig.folder, 'src/day.js'), 'export const parseDay = () => null\n')
    const told = await turn()
    expect(told.at(-1)).toContain('not the file that I know')
    expect(await file('src/day.js')).toBe('export const parseDay = () => null\n')
  })

  test('the file missing: it ends with a message', async () => {
    const { turn, rig } = await rehearsed()
    await rm(join(rig.folder, 'src/invoices.js'))
    expect((await turn()).at(-1)).toContain('cannot be read')
  })

  test('without Node, the rehearsal says that there is no Node and runs no test', async () => {
    const { turn } = await rehearsed(null)
    const told = await turn()
    expect(steps(told)).toEqual([...READS, ...READS, 'edit_file done'])
    expect(told.at(-1)).toContain('no Node here')
  })

  test('in a mode that blocks edits, it says what blocked its edits', async () => {
    const { turn, file } = await rehearsed(undefined, { mode: 'plan' })
    const told = await turn()
    expect(told.at(-1)).toMatch(/^Blocked in plan mode.* A rehearsal needs a mode/)
    expect(await file('src/day.js')).toBe(dayFile('utc'))
  })

  test('it first says that it is a rehearsal', async () => {
    const { turn } = await rehearsed()
    expect((await turn())[0]).toMatch(/^This is a rehearsal: a script answers here, and no model is asked\./)
  })
})
