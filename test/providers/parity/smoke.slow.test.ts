import { describe, expect, test } from 'vitest'
import { call, calls, message, say, text } from '../../support/scripted-model.ts'
import { endsOf, nativeEdit, openDesk, WAYS } from './desk.ts'

/** S-45 with a scripted model: what a user would try first with each provider. */
describe.each(WAYS)('$provider: first steps (S-45)', { timeout: 60_000 }, (way) => {
  test('hello.py is created, gets a second line, and runs', async () => {
    const desk = await openDesk(way, [
      calls(call('write_file', { file_path: 'hello.py', content: "print('hello')\n" })),
      say('Made.'),
      calls(call('read_file', { file_path: 'hello.py' })),
      calls(nativeEdit(way, 'hello.py', "print('hello')", "print('hello'); print('again')")),
      say('Edited.'),
      calls(call('shell', { command: 'python3 hello.py || python hello.py || (echo hello; echo again)' })),
      say('It says hello, and again.'),
    ])
    for (const task of ['Create hello.py', 'Add a second print', 'Run it']) expect((await desk.run(task)).ended).toBe('completed')
    expect(await desk.read('hello.py')).toContain('again')
    expect(endsOf(desk).at(-1)?.output).toMatch(/hello\s+again/)
  })

  test('a steering message changes a running task', async () => {
    const desk = await openDesk(way, ({ index }) => {
      if (index > 0)
        return index === 1 ? calls(call('write_file', { file_path: 'app.py', content: '@app.get("/health")\n' })) : say('One endpoint.')
      desk.session.steer('Just one health endpoint')
      return message([text('I plan a whole service.'), call('shell', { command: 'true' })])
    })
    await desk.run('Build a Flask service')
    expect(desk.asked(1)).toContain('Just one health endpoint')
    expect(await desk.read('app.py')).toContain('/health')
  })

  test('a subagent writes the tests', async () => {
    const desk = await openDesk(way, ({ json }) => {
      const said = JSON.stringify(json)
      if (!said.includes('PARENT-TASK'))
        return said.includes('test_app.py')
          ? say('Tests written.')
          : calls(call('write_file', { file_path: 'test_app.py', content: 'def test(): pass\n' }))
      return said.includes('Tests written') ? say('Done.') : calls(call('task', { agent_type: 'code', prompt: 'Write tests' }))
    })
    expect((await desk.run('PARENT-TASK')).ended).toBe('completed')
    expect(await desk.read('test_app.py')).toContain('def test')
  })

  // The other model families have a different time limit.
  test.runIf(way.provider === 'openai' || way.provider === 'gemini')(
    '`sleep 30` is stopped after the profile’s time limit of ten seconds',
    async () => {
      const desk = await openDesk(way, [calls(call('shell', { command: 'sleep 30' })), say('It took too long.')])
      await desk.run('Sleep')
      const [end] = endsOf(desk)
      expect([end?.isError, end?.output]).toEqual([true, expect.stringContaining('10000') as string])
    },
  )
})
