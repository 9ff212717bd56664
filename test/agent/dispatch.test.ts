import { chmod, mkdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Tool } from '../../main/agent/ports/tool.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { answerCall, type Rig, waiting } from './support/rig.ts'
import { edit, ends, only, read, resultsOf, rigFor, shell, write } from './support/scripted-rig.ts'

const file = (rig: Rig, name: string) => join(rig.folder, name)

describe('calls that cannot be executed return results, never exceptions', () => {
  test('an unknown tool (P3-16), arguments that are not JSON (P3-17) or are a list, and a missing argument are detected before anything runs (S-09)', async () => {
    const { provider, rig } = await rigFor([
      calls(call('fly', {}), call('read_file', '{"file_path": "a'), call('read_file', '[1]'), call('read_file', {})),
      say('I see.'),
    ])
    rig.session.submit('go')
    await rig.session.idle()
    expect(resultsOf(provider.requests[1])).toEqual([
      ['error', expect.stringMatching(/^Unknown tool: fly\. Available tools: read_file, write_file, edit_file, /u)],
      ['error', expect.stringMatching(/^Invalid arguments for read_file: The arguments are not valid JSON/)],
      ['error', 'Invalid arguments for read_file: The arguments must be one JSON object, not a list.'],
      ['error', expect.stringMatching(/^Invalid arguments for read_file: .*file_path/s)],
    ])
    expect(only(rig, 'TOOL_CALL_START').map(({ args }) => args)).toEqual([{}, null, null, {}])
    // What else is possible is a field of the failure, so that the desk can show it on demand.
    expect(only(rig, 'TOOL_CALL_END').map(({ output, advice }) => [output, advice])).toEqual([
      ['The agent called a tool that does not exist.', expect.stringMatching(/^Available tools: read_file, write_file, /u)],
      [expect.stringMatching(/^The arguments are not valid JSON/u), undefined],
      ['The arguments must be one JSON object, not a list.', undefined],
      [expect.stringMatching(/^The path is missing/u), 'It takes file_path, offset?, limit?.'],
    ])
  })

  test('a tool that throws in prepare or commit counts as failed (P3-18, AC11.1)', async () => {
    const broken = (where: 'prepare' | 'commit'): Tool => ({
      definition: { name: `broken_${where}`, description: '', parameters: { type: 'object' } },
      validate: (value) => ({ ok: true, value }),
      prepare: () =>
        where === 'prepare'
          ? Promise.reject(new Error('boom'))
          : Promise.resolve({ kind: 'ready', effects: [], commit: () => Promise.reject(new Error('bang')) }),
    })
    const { provider, rig } = await rigFor([calls(call('broken_prepare', {}), call('broken_commit', {})), say('Oh.')], {
      tools: [broken('prepare'), broken('commit')],
    })
    rig.session.submit('go')
    await rig.session.idle()
    expect(resultsOf(provider.requests[1])).toEqual([
      ['error', 'Tool error: boom'],
      ['error', 'Tool error: bang'],
    ])
  })

  test('all 50 calls in one answer get their results, in order (fault 47)', async () => {
    const { provider, rig } = await rigFor([calls(...Array.from({ length: 50 }, (_, n) => read(`f${n}.txt`))), say('Done.')])
    await Promise.all(Array.from({ length: 50 }, (_, n) => writeFile(file(rig, `f${n}.txt`), `line of ${n}`)))
    rig.session.submit('go')
    await rig.session.idle()
    expect(resultsOf(provider.requests[1])).toEqual(Array.from({ length: 50 }, (_, n) => ['ok', `     1\tline of ${n}`]))
  })

  test('of two calls with the same id only the first runs, and the second gets an error (fault 47)', async () => {
    const { provider, rig } = await rigFor([
      calls(call('read_file', { file_path: 'a.txt' }, 'same'), call('read_file', { file_path: 'a.txt' }, 'same')),
      say('Done.'),
    ])
    await writeFile(file(rig, 'a.txt'), 'text')
    rig.session.submit('go')
    await rig.session.idle()
    const [, assistant, results] = provider.requests[1]?.turns ?? []
    expect(assistant?.kind === 'assistant' && assistant.content.map((part) => part.kind === 'tool_call' && part.toolCallId)).toEqual([
      'same',
      'same_2',
    ])
    expect(results?.kind === 'tool_results' && results.results.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
      ['same', false],
      ['same_2', true],
    ])
  })

  test('if a service repeats an id in a later answer, the call gets a new id and runs', async () => {
    const again = calls(call('read_file', { file_path: 'a.txt' }, 'call_0'))
    const { provider, rig } = await rigFor([again, again, say('Done.')])
    await writeFile(file(rig, 'a.txt'), 'text')
    rig.session.submit('go')
    await rig.session.idle()
    expect(ends(rig)).toEqual([
      ['call_0', 'done'],
      ['call_0_2', 'done'],
    ])
    expect(provider.requests[2]?.turns.length).toBe(5)
  })
})

describe('the calls of a round are prepared together', () => {
  test('their requests are created at the same time, and later edits build on what earlier edits will write', async () => {
    const { rig } = await rigFor([calls(write('a.txt', 'one\ntwo\n'), edit('a.txt', 'two', 'three'), shell('touch b.txt')), say('Done.')])
    rig.session.submit('go')
    const asked = await waiting(rig.session, 3)
    expect(asked.map(({ effects }) => effects.map(({ kind }) => kind))).toEqual([['write'], ['write'], ['command']])
    const [first, second] = asked.map(({ effects }) => effects[0])
    expect(second?.kind === 'write' && first?.kind === 'write' && second.before === first.after).toBe(true)
    const stored = [...rig.session.record.read()].filter(({ event }) => event.kind === 'APPROVAL_REQUESTED')
    expect(new Set(stored.map(({ at }) => at)).size).toBe(1)
    // The calls are signed in reverse order, but they are still committed in call order.
    for (const one of [asked[2], asked[1], asked[0]]) answerCall(rig.session, one)
    await rig.session.idle()
    expect(await readFile(file(rig, 'a.txt'), 'utf8')).toBe('one\nthree\n')
    expect(only(rig, 'TOOL_EXECUTION_START').map(({ toolCallId }) => toolCallId)).toEqual(['toolu_1', 'toolu_2', 'toolu_3'])
    expect(only(rig, 'APPROVAL_REQUESTED').length).toBe(3)
  })

  test('after a refusal, only the calls that build on the refused one get new requests', async () => {
    const { rig } = await rigFor([calls(edit('a.txt', 'one', 'two'), edit('a.txt', 'last', 'end'), write('b.txt', 'b')), say('Done.')])
    await writeFile(file(rig, 'a.txt'), 'one\nlast\n')
    rig.session.submit('go')
    const asked = await waiting(rig.session, 3)
    answerCall(rig.session, asked[0], null)
    const after = await rig.session.record.until(() => {
      const now = rig.session.state().items.flatMap((item) => (item.kind === 'call' && item.status === 'waiting' ? [item] : []))
      return now.length === 2 && now[0]?.approval?.approvalId !== asked[1]?.approval?.approvalId ? now : null
    }, new AbortController().signal)
    expect(after.map(({ toolCallId }) => toolCallId)).toEqual(['toolu_2', 'toolu_3'])
    expect(after[1]?.approval?.approvalId).toBe(asked[2]?.approval?.approvalId)
    expect(only(rig, 'APPROVAL_ANSWERED').map(({ answer }) => answer)).toEqual([
      { kind: 'refused', note: null, by: 'person' },
      { kind: 'withdrawn', why: 'superseded' },
    ])
    expect(answerCall(rig.session, asked[1])).toMatchObject({ kind: 'ignored', why: 'withdrawn' })
    for (const one of after) answerCall(rig.session, one)
    await rig.session.idle()
    expect([await readFile(file(rig, 'a.txt'), 'utf8'), await readFile(file(rig, 'b.txt'), 'utf8')]).toEqual(['one\nend\n', 'b'])
  })

  test('a call that is impossible without the refused one fails, and its request is withdrawn', async () => {
    const { provider, rig } = await rigFor([calls(write('new.txt', 'fresh text\n'), edit('new.txt', 'fresh', 'stale')), say('Done.')])
    rig.session.submit('go')
    answerCall(rig.session, (await waiting(rig.session, 2))[0], null)
    await rig.session.idle()
    expect(ends(rig)).toEqual([
      ['toolu_1', 'refused'],
      ['toolu_2', 'failed'],
    ])
    expect(only(rig, 'APPROVAL_ANSWERED').at(-1)?.answer).toEqual({ kind: 'withdrawn', why: 'superseded' })
    expect(resultsOf(provider.requests[1])[1]?.[1]).toMatch(/^new.txt does not exist/)
  })

  test('reads that come before the first step run immediately, and a read after a step sees its effect', async () => {
    const { provider, rig } = await rigFor([calls(read('a.txt'), edit('a.txt', 'old', 'new'), read('a.txt')), say('Done.')])
    await writeFile(file(rig, 'a.txt'), 'old')
    rig.session.submit('go')
    const [asked] = await waiting(rig.session)
    await rig.session.record.until(() => (ends(rig).length === 1 ? true : null), new AbortController().signal)
    answerCall(rig.session, asked)
    await rig.session.idle()
    expect(resultsOf(provider.requests[1]).map(([, output]) => output)).toEqual([
      '     1\told',
      expect.stringContaining('Edited a.txt'),
      '     1\tnew',
    ])
  })

  test('if a file changes between request and signature, the signature does not count and a new request is shown (C10)', async () => {
    const { rig } = await rigFor([calls(edit('a.txt', 'one', 'two')), say('Done.')])
    await writeFile(file(rig, 'a.txt'), 'one\n')
    rig.session.submit('go')
    const [asked] = await waiting(rig.session)
    await writeFile(file(rig, 'a.txt'), 'one\nand a line of the user\n')
    answerCall(rig.session, asked)
    const [again] = await waiting(rig.session)
    expect(again?.approval?.approvalId).not.toBe(asked?.approval?.approvalId)
    expect(await readFile(file(rig, 'a.txt'), 'utf8')).toBe('one\nand a line of the user\n')
    answerCall(rig.session, again)
    await rig.session.idle()
    expect(await readFile(file(rig, 'a.txt'), 'utf8')).toBe('two\nand a line of the user\n')
    expect(only(rig, 'TOOL_EXECUTION_START').length).toBe(1)
  })

  test('a file that is replaced after the request by a link out of the project is never written through the link (C10)', async () => {
    const { rig } = await rigFor([calls(edit('a.txt', 'one', 'two')), say('Done.')])
    const victim = join(rig.folder, '..', 'victim.txt')
    await writeFile(victim, 'one\n')
    await writeFile(file(rig, 'a.txt'), 'one\n')
    rig.session.submit('go')
    const [asked] = await waiting(rig.session)
    await unlink(file(rig, 'a.txt'))
    await symlink(victim, file(rig, 'a.txt'))
    answerCall(rig.session, asked)
    await rig.session.idle()
    const [end] = only(rig, 'TOOL_CALL_END')
    expect([end?.isError, end?.output]).toEqual([true, expect.stringContaining('is outside the project and the agent has not read it')])
    expect([await readFile(victim, 'utf8'), only(rig, 'TOOL_EXECUTION_START')]).toEqual(['one\n', []])
  })

  test('if a command’s target becomes a link out of the project after the request, a new request names this change and must be signed (C10)', async () => {
    const { rig } = await rigFor([calls(shell('echo new > a.txt')), say('Done.')])
    const victim = join(rig.folder, '..', 'victim.txt')
    await writeFile(victim, 'one\n')
    rig.session.submit('go')
    const [asked] = await waiting(rig.session)
    await symlink(victim, file(rig, 'a.txt'))
    answerCall(rig.session, asked)
    const [again] = await waiting(rig.session)
    expect(again?.approval?.approvalId).not.toBe(asked?.approval?.approvalId)
    expect(only(rig, 'APPROVAL_REQUESTED').at(-1)?.reason).toMatch(/what it would do has changed since.*outside the folder/u)
    answerCall(rig.session, again, 'No.')
    await rig.session.idle()
    expect([await readFile(victim, 'utf8'), only(rig, 'TOOL_EXECUTION_START')]).toEqual(['one\n', []])
  })

  test('a shell step that changes the file of a later edit causes a new request for that edit', async () => {
    const { rig } = await rigFor([calls(shell('echo tail >> a.txt'), edit('a.txt', 'one', 'two')), say('Done.')])
    await writeFile(file(rig, 'a.txt'), 'one\n')
    rig.session.submit('go')
    const asked = await waiting(rig.session, 2)
    for (const one of asked) answerCall(rig.session, one)
    const [again] = await waiting(rig.session)
    expect(again?.toolCallId).toBe('toolu_2')
    answerCall(rig.session, again)
    await rig.session.idle()
    expect(await readFile(file(rig, 'a.txt'), 'utf8')).toBe('two\ntail\n')
  })

  test('switching to a mode that allows the waiting calls runs them immediately and withdraws their requests', async () => {
    const { rig } = await rigFor([calls(write('a.txt', 'a'), write('b.txt', 'b')), say('Done.')])
    rig.session.submit('go')
    const asked = await waiting(rig.session, 2)
    rig.session.configure({ mode: 'accept-edits' })
    await rig.session.idle()
    expect([await readFile(file(rig, 'a.txt'), 'utf8'), await readFile(file(rig, 'b.txt'), 'utf8')]).toEqual(['a', 'b'])
    expect(only(rig, 'APPROVAL_ANSWERED').map(({ approvalId, answer }) => [approvalId, answer.kind])).toEqual(
      asked.map(({ approval }) => [approval?.approvalId, 'withdrawn']),
    )
    expect(only(rig, 'TOOL_EXECUTION_START').map(({ signedBy }) => signedBy)).toEqual([
      { kind: 'mode', mode: 'accept-edits' },
      { kind: 'mode', mode: 'accept-edits' },
    ])
  })
})

describe('what is recorded', () => {
  test('plan mode blocks a step, and its result says that the mode is the reason (C19)', async () => {
    const { provider, rig } = await rigFor([calls(write('a.txt', 'a')), say('Done.')], { mode: 'plan' })
    rig.session.submit('go')
    await rig.session.idle()
    expect(ends(rig)).toEqual([['toolu_1', 'barred']])
    expect(resultsOf(provider.requests[1])[0]?.[1]).toMatch(/^Blocked in plan mode.* Nothing was executed\.$/)
  })

  test('a file of 2 MB that a step reads and changes is never stored, or read from the store, in one piece', async () => {
    const script = [
      calls(read('a.txt')),
      calls(edit('a.txt', 'the end', 'The end')),
      calls(call('delete_file', { file_path: 'a.txt' })),
      say('Done.'),
    ]
    const { provider, rig } = await rigFor(script, { mode: 'full' })
    const text = `${'line\n'.repeat(400_000)}the end\n`
    await writeFile(file(rig, 'a.txt'), text)
    const { blobs } = rig.store
    const { put, get } = blobs
    const whole: number[] = []
    const noted = <T extends Uint8Array>(bytes: T): T => {
      if (bytes.length > 1024 * 1024) whole.push(bytes.length)
      return bytes
    }
    blobs.put = (bytes) => put(noted(bytes))
    blobs.get = (hash) => noted(get(hash))
    rig.session.submit('go')
    await rig.session.idle()
    expect(provider.requests.flatMap((request) => resultsOf(request).map(([outcome]) => outcome)).slice(-3)).toEqual(['ok', 'ok', 'ok'])
    expect(only(rig, 'FILES_CHANGED').map(({ files }) => files.map(({ beforeBytes, afterBytes }) => [beforeBytes, afterBytes]))).toEqual([
      [[text.length, text.length]],
      [[text.length, 0]],
    ])
    expect(whole).toEqual([])
  })

  test('the changes of a step that fails halfway are recorded', async () => {
    const halfWay: Tool = {
      definition: { name: 'half', description: '', parameters: { type: 'object' } },
      validate: (value) => ({ ok: true, value }),
      async prepare(_, { env, keep }) {
        const path = join(await env.realpath(env.workingDirectory()), 'half.txt')
        const write = { kind: 'write', path, shown: 'half.txt', outside: false, control: false, before: null, beforeBytes: 0 } as const
        return {
          kind: 'ready',
          effects: [{ ...write, after: await keep(new Uint8Array([1])), afterBytes: 1, lines: null }],
          async commit() {
            await env.writeBytes(path, new TextEncoder().encode('half'))
            throw new Error('lost the connection')
          },
        }
      },
    }
    const { rig } = await rigFor([calls(call('half', {})), say('Done.')], { tools: [halfWay], mode: 'accept-edits' })
    rig.session.submit('go')
    await rig.session.idle()
    expect(ends(rig)).toEqual([['toolu_1', 'failed']])
    expect(only(rig, 'FILES_CHANGED')[0]?.files.map(({ shown, before, afterBytes }) => [shown, before, afterBytes])).toEqual([
      ['half.txt', null, 4],
    ])
  })

  test('output above 65,536 bytes is cut to its head and tail in the event, and kept completely in a blob (S-09, S-15, AC10.3)', async () => {
    const { provider, rig } = await rigFor([calls(read('small.txt'), read('big.txt')), say('Done.')])
    const line = `${'é'.repeat(60)}\n`
    await writeFile(file(rig, 'small.txt'), line.repeat(100))
    await writeFile(file(rig, 'big.txt'), line.repeat(1900))
    rig.session.submit('go')
    await rig.session.idle()
    // The reads run in parallel and can end in any order.
    const [small, big] = only(rig, 'TOOL_CALL_END').toSorted((a, b) => a.output.length - b.output.length)
    expect([small?.outputBlob, small?.modelText]).toEqual([null, null])
    const whole = big?.outputBlob && new TextDecoder().decode(rig.store.blobs.get(big.outputBlob.hash))
    expect(whole?.split('\n').length).toBe(1900)
    expect(big?.output.startsWith(whole?.slice(0, 15_000) ?? '-')).toBe(true)
    expect(big?.output.endsWith(whole?.slice(-15_000) ?? '-')).toBe(true)
    expect(big && Buffer.byteLength(big.output)).toBeLessThan(65_536 + 100)
    expect(big?.output).not.toContain('\ufffd')
    expect(resultsOf(provider.requests[1])[1]?.[1]).toBe(big?.modelText)
    expect(big?.modelText).toMatch(/WARNING/)
  })

  test('the log records what the agent has read of a file, so that a later change to the file is noticed even after a restart (fault 9, S-40)', async () => {
    const { provider, rig } = await rigFor([calls(read('a.txt')), say('Read.'), calls(edit('a.txt', 'one', 'two')), say('Done.')])
    await writeFile(file(rig, 'a.txt'), 'one\n')
    rig.session.submit('read')
    await rig.session.idle()
    expect(only(rig, 'TOOL_CALL_END')[0]?.saw).toEqual([
      { path: file(rig, 'a.txt'), hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
    ])
    await rig.session.suspend()
    await writeFile(file(rig, 'a.txt'), 'one, changed\n')
    const session = await rig.takeOver()
    session.submit('edit')
    await session.idle()
    expect(resultsOf(provider.requests[3])[0]?.[1]).toMatch(/^a.txt .*changed/)
  })

  test('a step that writes to an unwritable path fails with the reason, and the turn continues', async () => {
    const { provider, rig } = await rigFor([calls(shell('exit 3'), shell('echo fine')), say('Done.')], { mode: 'full' })
    await mkdir(file(rig, 'closed'))
    await chmod(file(rig, 'closed'), 0o500)
    rig.session.submit('go')
    await rig.session.idle()
    expect(ends(rig)).toEqual([
      ['toolu_1', 'failed'],
      ['toolu_2', 'done'],
    ])
    expect(resultsOf(provider.requests[1])[0]?.[1]).toMatch(/Exit code: 3/)
  })
})
