import { describe, expect, test } from 'vitest'
import { call, calls, message, say, text } from '../../support/scripted-model.ts'
import { type Desk, endsOf, nativeEdit, openDesk, WAYS } from './desk.ts'

const write = (path: string, content: string) => call('write_file', { file_path: path, content })
const read = (path: string) => call('read_file', { file_path: path })
const shell = (command: string, more: object = {}) => call('shell', { command, ...more })
const outcomes = (desk: Desk) => endsOf(desk).map(({ tool, isError }) => [tool, isError])

/** S-44: fifteen cases, the same for every provider, through the entire app and real HTTP. */
describe.each(WAYS)('$provider (S-44, AC12.3)', { timeout: 60_000 }, (way) => {
  test('1: creates a file', async () => {
    const desk = await openDesk(way, [calls(write('hello.txt', 'Hello\n')), say('Done.')])
    expect((await desk.run('Make it')).ended).toBe('completed')
    expect(await desk.read('hello.txt')).toBe('Hello\n')
  })

  test('2: reads, then edits a file', async () => {
    const desk = await openDesk(way, [calls(read('a.txt')), calls(nativeEdit(way, 'a.txt', 'two', 'TWO')), say('Done.')])
    await desk.write('a.txt', 'one\ntwo\nthree\n')
    expect((await desk.run('Edit it')).ended).toBe('completed')
    expect(await desk.read('a.txt')).toBe('one\nTWO\nthree\n')
    expect(desk.asked(1)).toContain('two')
  })

  test('3: edits several files in one round', async () => {
    const desk = await openDesk(way, [
      calls(read('a.txt'), read('b.txt')),
      calls(nativeEdit(way, 'a.txt', 'x', 'a'), nativeEdit(way, 'b.txt', 'x', 'b')),
      say('Done.'),
    ])
    await desk.write('a.txt', 'x\n')
    await desk.write('b.txt', 'x\n')
    await desk.run('Edit both')
    expect([await desk.read('a.txt'), await desk.read('b.txt')]).toEqual(['a\n', 'b\n'])
  })

  test('4: runs a command and returns its output', async () => {
    const desk = await openDesk(way, [calls(shell('echo out-$((6*7))')), say('Done.')])
    await desk.run('Run it')
    expect(desk.asked(1)).toContain('out-42')
  })

  test('5: stops a command at its timeout and tells the model how to allow more time', async () => {
    const desk = await openDesk(way, [calls(shell('echo before; sleep 30', { timeout_ms: 2_000 })), say('Done.')])
    await desk.run('Run it')
    expect(outcomes(desk)).toEqual([['shell', true]])
    expect(endsOf(desk)[0]?.output).toMatch(/before[^]*2000[^]*timeout_ms/)
    expect(desk.asked(1)).toContain('timeout_ms')
  })

  test('6: finds text and files', async () => {
    const desk = await openDesk(way, [calls(call('grep', { pattern: 'needle' }), call('glob', { pattern: '*.md' })), say('Done.')])
    await desk.write('a.txt', 'hay\nneedle\n')
    await desk.write('notes.md', 'x\n')
    await desk.run('Find it')
    const found = endsOf(desk).toSorted((a, b) => (a.tool < b.tool ? 1 : -1))
    expect(found.map(({ output }) => output)).toEqual([expect.stringContaining('a.txt'), expect.stringContaining('notes.md')])
  })

  test('7: completes a task of several steps', async () => {
    const desk = await openDesk(way, [
      message([text('I look.'), read('n.txt')]),
      calls(nativeEdit(way, 'n.txt', '1', '2')),
      calls(shell('cat n.txt > copy.txt')),
      say('Done.'),
    ])
    await desk.write('n.txt', '1\n')
    expect((await desk.run('Count on')).ended).toBe('completed')
    expect([await desk.read('copy.txt'), desk.model.requests.length]).toEqual(['2\n', 4])
  })

  test('8: shows a large file completely to the user and truncated to the model (AC12.2)', async () => {
    const desk = await openDesk(way, [calls(shell('cat big.txt')), say('Done.')])
    const big = `${'0123456789abcde\n'.repeat(6_250)}`
    await desk.write('big.txt', big)
    await desk.run('Show it')
    const end = desk.events().find((event) => event.kind === 'TOOL_CALL_END')
    expect(end).toMatchObject({ outputBlob: { bytes: expect.any(Number) as number } })
    expect(end?.kind === 'TOOL_CALL_END' && end.outputBlob && end.outputBlob.bytes).toBeGreaterThanOrEqual(100_000)
    expect(desk.asked(1).length).toBeLessThan(80_000)
    expect(desk.asked(1)).toMatch(/WARNING|omitted|truncated/i)
  })

  test('9: returns the results of one answer together, in order', async () => {
    const desk = await openDesk(way, [calls(read('a.txt'), read('b.txt'), read('c.txt')), say('Done.')])
    for (const name of ['a', 'b', 'c']) await desk.write(`${name}.txt`, `content-${name}\n`)
    await desk.run('Read all')
    const places = ['a', 'b', 'c'].map((name) => desk.asked(1).lastIndexOf(`content-${name}`))
    expect(places.every((place) => place > 0) && places.toSorted((x, y) => x - y)).toEqual(places)
    expect(desk.model.requests).toHaveLength(2)
  })

  test('10: a message sent while the agent is working is in the next request', async () => {
    const desk = await openDesk(way, ({ index }) => {
      if (index === 0) {
        desk.session.steer('Only the first one, please')
        return calls(shell('true'))
      }
      return say('Done.')
    })
    await desk.run('Do ten things')
    expect([desk.asked(0).includes('Only the first one'), desk.asked(1).includes('Only the first one')]).toEqual([false, true])
  })

  test('11: applies a changed effort from the next request on (AC8.1, AC8.2)', async () => {
    // For a compatible server, the effort is sent only for models that are known to accept it.
    const model = way.provider === 'openai-compatible' ? 'gpt-oss:20b' : way.model
    const desk = await openDesk({ ...way, model }, () => say('Done.'))
    await desk.run('One')
    desk.session.configure({ effort: 'high' })
    await desk.run('Two')
    const isHigh = (index: number) => /"(effort|reasoning_effort|thinkingLevel)":"high"/.test(desk.asked(index))
    expect([isHigh(0), isHigh(1)]).toEqual([false, true])
  })

  test('12: spawns a subagent, waits for it and closes it', async () => {
    const desk = await openDesk(way, ({ json }) => {
      const said = JSON.stringify(json)
      if (!said.includes('PARENT-TASK')) return say('The child found 42.')
      const [, id] = /agent_id[\\":]+\s*[\\"]*([\w-]+)/.exec(said) ?? []
      if (id === undefined) return calls(call('spawn_agent', { task: 'CHILD-TASK' }))
      if (!said.includes('child found')) return calls(call('wait', { agent_id: id }))
      return said.includes('close_agent_call') ? say('Done.') : calls(call('close_agent', { agent_id: id }, 'close_agent_call'))
    })
    expect((await desk.run('PARENT-TASK')).ended).toBe('completed')
    expect(outcomes(desk)).toEqual([
      ['spawn_agent', false],
      ['wait', false],
      ['close_agent', false],
    ])
    const [spawned, waited, closed] = endsOf(desk).map(({ output }) => JSON.parse(output) as { readonly status: string })
    expect([spawned?.status, waited, closed?.status]).toEqual([
      'running',
      expect.objectContaining({ status: 'completed', success: true, output: 'The child found 42.', turns_used: 1 }),
      'completed',
    ])
    const children = desk.app.store.sessions.list().filter(({ parent }) => parent !== null)
    expect(children.map(({ run }) => run)).toEqual(['CLOSED'])
  })

  test.each([
    ['one call', ['a.txt'], 5],
    ['two alternating calls', ['a.txt', 'b.txt'], 10],
    ['three alternating calls (D-23)', ['a.txt', 'b.txt', 'c.txt'], 9],
  ] as const)('13: detects a loop of %s, warns the model and continues', async (_, names, length) => {
    const desk = await openDesk(way, ({ index }) => (index < length ? calls(read(names[index % names.length] ?? '')) : say('Done.')))
    for (const name of names) await desk.write(name, `${name}\n`)
    expect((await desk.run('Go')).ended).toBe('completed')
    expect(desk.events().flatMap((event) => (event.kind === 'LOOP_DETECTION' ? [event.message] : []))).toEqual([
      expect.stringContaining(`the last ${length} tool calls`),
    ])
    expect([length - 1, length].map((index) => desk.asked(index).includes('Loop detected'))).toEqual([false, true])
  })

  test('14: returns a failed call as a failure and continues (AC11.1)', async () => {
    const desk = await openDesk(way, [calls(read('missing.txt')), calls(write('missing.txt', 'x\n')), say('Done.')])
    expect((await desk.run('Read it')).ended).toBe('completed')
    expect(outcomes(desk)).toEqual([
      ['read_file', true],
      ['write_file', false],
    ])
  })

  test('15: offers the family’s own edit tool, and no other', async () => {
    const desk = await openDesk(way, [calls(read('a.txt')), calls(nativeEdit(way, 'a.txt', 'x', 'y')), say('Done.')])
    await desk.write('a.txt', 'x\n')
    await desk.run('Edit')
    expect(outcomes(desk).at(-1)).toEqual([way.provider === 'openai' ? 'apply_patch' : 'edit_file', false])
    const offered = ['apply_patch', 'edit_file', 'replace'].filter((name) => desk.asked(0).includes(`"name":"${name}"`))
    expect(offered).toEqual([way.provider === 'openai' ? 'apply_patch' : way.provider === 'gemini' ? 'replace' : 'edit_file'])
  })
})
