import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CallItem } from '../../shared/session/state.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Asked, type Family, openFamily } from './support/family.ts'

const spawn = (more: object) => call('spawn_agent', { task: 'CHILD-A', agent_type: 'code', ...more })
const idIn = (words: string): string => /s_[0-9a-f]{24}/u.exec(words)?.[0] ?? ''
const callsOf = (family: Family, sessionId: string = family.parent.sessionId): readonly CallItem[] =>
  (family.app.store.ledger.snapshot(sessionId as typeof family.parent.sessionId, 100)?.items ?? []).filter(
    (item): item is CallItem => item.kind === 'call',
  )

/** Opens a parent that spawns one subagent, waits for it and ends. The subagent makes these calls, one per round. */
const family = (more: object, ...work: readonly ReturnType<typeof call>[]) =>
  openFamily(
    ({ who, round, newest }: Asked) => {
      if (who !== 'PARENT') return work[round] ? calls(work[round]) : say('Done.')
      if (round === 0) return calls(spawn(more))
      return round === 1 && idIn(newest) ? calls(call('wait', { agent_id: idIn(newest) })) : say('Thanks.')
    },
    {
      prepare: ({ folder }) => {
        mkdirSync(join(folder, 'sub', 'deep'), { recursive: true })
        writeFileSync(join(folder, 'in.txt'), 'at the top\n')
        writeFileSync(join(folder, 'sub', 'in.txt'), 'in sub\n')
        symlinkSync('/', join(folder, 'away'))
      },
    },
  )

describe('working_dir of spawn_agent (S-38)', () => {
  test('is the base of the subagent’s paths, commands and prompt, and the subagent can reuse paths from its results', async () => {
    const made = await family(
      { working_dir: 'sub' },
      call('read_file', { file_path: 'in.txt' }),
      call('shell', { command: 'pwd; cat in.txt > copy.txt' }),
      call('grep', { pattern: 'in sub' }),
      call('write_file', { file_path: 'deep/new.txt', content: 'new\n' }),
      call('read_file', { file_path: '../in.txt' }),
    )
    await made.ask()
    const child = await made.child()
    const sub = join(made.folder, 'sub')
    const [read, pwd, found, , above] = callsOf(made, child.sessionId).map(({ output }) => output)
    expect([read, above]).toEqual([expect.stringContaining('in sub'), expect.stringContaining('at the top')])
    expect(pwd).toContain(sub)
    expect(found).toContain(`${join(sub, 'in.txt')}:1`)
    expect(readFileSync(join(sub, 'copy.txt'), 'utf8')).toBe('in sub\n')
    expect([existsSync(join(sub, 'deep', 'new.txt')), existsSync(join(made.folder, 'deep'))]).toEqual([true, false])
    const asked = made.model.requests.find(({ body }) => JSON.stringify(body.messages[0]).includes('CHILD-A'))
    expect(JSON.stringify(asked?.body.system)).toContain(`Working directory: ${sub}`)
    expect(child.record.state()).toMatchObject({ cwd: made.folder, parent: { workingDir: sub } })
    // The parent's own relative paths still begin at the same folder.
    expect(callsOf(made)[1]?.output).toContain('"success":true')
  })

  test.each([
    ['above the project', '../..', /is outside the project/],
    ['outside the project, given by its absolute path', '/etc', /is outside the project/],
    ['outside the project, through a link', 'away/etc', /is outside the project/],
    ['really a file', 'in.txt', /There is no folder in\.txt/],
    ['missing', 'nowhere', /There is no folder nowhere/],
  ])('a folder that is %s is refused, and nothing starts', async (_, working_dir, why) => {
    const made = await family({ working_dir })
    await made.ask()
    expect(callsOf(made)[0]).toMatchObject({ isError: true, output: expect.stringMatching(why) as string })
    expect(made.children()).toEqual([])
  })

  test('is kept by the next process', async () => {
    const made = await family({ working_dir: 'sub' }, call('read_file', { file_path: 'in.txt' }))
    await made.ask()
    const { sessionId } = await made.child()
    await made.app.close()
    const next = await made.again()
    const opened = await next.app.sessions.open(sessionId)
    if (!opened.ok) throw new Error(opened.failure.what)
    opened.value.running()?.submit('CHILD-A: again')
    await opened.value.running()?.idle()
    expect(opened.value.record.state()).toMatchObject({ ended: 'completed', parent: { workingDir: join(made.folder, 'sub') } })
  })
})

describe('model of a subagent', () => {
  test('must be from the same provider, and defaults to the parent’s model (AC7.2)', async () => {
    const made = await openFamily(({ who, round, newest }) => {
      if (who !== 'PARENT') return say('Done.')
      if (round === 0) return calls(spawn({ model: 'claude-opus-4-5' }))
      if (round === 1) return calls(call('wait', { agent_id: idIn(newest) }))
      if (round === 2) return calls(call('task', { agent_type: 'code', prompt: 'CHILD-B', model: 'claude-sonnet-5-5' }))
      return round === 3 ? calls(call('task', { agent_type: 'code', prompt: 'CHILD-C' })) : say('Thanks.')
    })
    await made.ask()
    const modelsOf = (who: string) =>
      made.model.requests.filter(({ body }) => JSON.stringify(body.messages[0]).includes(who)).map(({ body }) => body.model)
    expect(['CHILD-A', 'CHILD-B', 'CHILD-C', 'Go'].map(modelsOf)).toEqual([
      ['claude-opus-4-5'],
      ['claude-sonnet-5-5'],
      ['claude-haiku-4-5'],
      Array.from({ length: 5 }, () => 'claude-haiku-4-5'),
    ])
  })
})
