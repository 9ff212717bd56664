import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, calls, message, say, text, thinking } from '../support/scripted-model.ts'
import { answerCall, openRig, waiting } from './support/rig.ts'
import { scriptedProvider } from './support/scripted-provider.ts'

const read = (path: string) => call('read_file', { file_path: path })
const write = (path: string, content: string) => call('write_file', { file_path: path, content })

describe('a turn', () => {
  test('an answer of text alone is a turn: IDLE, PROCESSING, IDLE (AC1.1, AC1.3)', async () => {
    const provider = scriptedProvider([message([thinking('hm', 's'), text('Hello.')], { usage: { input: 3, output: 4 } })])
    const rig = await openRig(provider)
    const runs = [rig.session.state().run]
    rig.session.record.subscribe(() => runs.push(rig.session.state().run))
    expect(rig.session.submit('Hi')).toEqual({ ok: true })
    await rig.session.idle()
    expect(runs.filter((run, index) => run !== runs[index - 1])).toEqual(['IDLE', 'PROCESSING', 'IDLE'])
    expect(rig.kinds()).toEqual(['SESSION_START', 'USER_INPUT', 'REQUEST_CONTEXT', 'ASSISTANT_TURN', 'USAGE', 'PROCESSING_END'])
    expect(provider.requests).toEqual([
      {
        model: 'scripted',
        system: 'You are a test.',
        tools: expect.any(Array) as unknown,
        turns: [{ kind: 'user', content: 'Hi' }],
        effort: null,
      },
    ])
  })

  test('calls run, their results go back in call order, the turn ends with the answer that has none (AC1.2)', async () => {
    const provider = scriptedProvider([calls(read('b.txt'), read('a.txt'), read('missing.txt')), say('Done.')])
    const rig = await openRig(provider)
    await writeFile(join(rig.folder, 'a.txt'), 'first\n')
    await writeFile(join(rig.folder, 'b.txt'), 'second\n')
    rig.session.submit('Read both')
    await rig.session.idle()
    expect(provider.requests[1]?.turns.at(-1)).toEqual({
      kind: 'tool_results',
      results: [
        { toolCallId: 'toolu_1', toolName: 'read_file', output: '     1\tsecond', isError: false },
        { toolCallId: 'toolu_2', toolName: 'read_file', output: '     1\tfirst', isError: false },
        {
          toolCallId: 'toolu_3',
          toolName: 'read_file',
          output: expect.stringContaining('missing.txt does not exist.') as unknown,
          isError: true,
        },
      ],
    })
  })

  test('a round of reads costs two appends', async () => {
    const rig = await openRig(scriptedProvider([calls(read('a.txt'), read('b.txt'), read('c.txt')), say('Done.')]))
    const log = rig.session.record
    rig.session.submit('Read')
    await rig.session.idle()
    const times = [...log.read()].map(({ at, event }) => [event.kind, at] as const)
    expect(times.map(([kind]) => kind)).toEqual([
      'SESSION_START',
      'USER_INPUT',
      'REQUEST_CONTEXT',
      ...['ASSISTANT_TURN', 'USAGE', 'TOOL_CALL_START', 'TOOL_CALL_START', 'TOOL_CALL_START'],
      ...['TOOL_CALL_END', 'TOOL_CALL_END', 'TOOL_CALL_END'],
      ...['ASSISTANT_TURN', 'USAGE', 'PROCESSING_END'],
    ])
  })

  test('a write waits for its signature, is captured, written once and told to the model', async () => {
    const provider = scriptedProvider([calls(write('new.txt', 'hello\n')), say('Done.')])
    const rig = await openRig(provider)
    rig.session.submit('Write')
    const [asked] = await waiting(rig.session)
    expect([rig.session.state().run, asked?.effects]).toEqual([
      'AWAITING_INPUT',
      [expect.objectContaining({ kind: 'write', shown: 'new.txt', before: null })],
    ])
    await expect(readFile(join(rig.folder, 'new.txt'))).rejects.toThrow('ENOENT')
    expect(answerCall(rig.session, asked)).toEqual({ kind: 'accepted' })
    await rig.session.idle()
    expect(await readFile(join(rig.folder, 'new.txt'), 'utf8')).toBe('hello\n')
    expect(rig.kinds().slice(5, 12)).toEqual([
      'TOOL_CALL_START',
      'APPROVAL_REQUESTED',
      'APPROVAL_ANSWERED',
      'TOOL_EXECUTION_START',
      'FILES_CHANGED',
      'TOOL_CALL_END',
      'ASSISTANT_TURN',
    ])
    const [change] = rig.events().flatMap((event) => (event.kind === 'FILES_CHANGED' ? event.files : []))
    expect(change?.after && new TextDecoder().decode(rig.store.blobs.get(change.after))).toBe('hello\n')
  })

  test('a refusal with a note is what the model reads, and nothing is written', async () => {
    const provider = scriptedProvider([calls(write('new.txt', 'hello\n')), say('I see.')])
    const rig = await openRig(provider)
    rig.session.submit('Write')
    answerCall(rig.session, (await waiting(rig.session))[0], 'not there')
    await rig.session.idle()
    await expect(readFile(join(rig.folder, 'new.txt'))).rejects.toThrow('ENOENT')
    expect(provider.requests[1]?.turns.at(-1)).toEqual({
      kind: 'tool_results',
      results: [
        {
          toolCallId: 'toolu_1',
          toolName: 'write_file',
          output: 'The user denied this call; nothing was executed. The user says: not there',
          isError: true,
        },
      ],
    })
  })
})
