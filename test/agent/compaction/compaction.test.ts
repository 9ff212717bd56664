import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keptTurns } from '../../../main/agent/compaction/compact.ts'
import { estimateTokens } from '../../../main/agent/compaction/estimate-tokens.ts'
import { notesApart, pinnedMessages, shortenedTurns, summaryText } from '../../../main/agent/compaction/summary.ts'
import { createTranscript } from '../../../main/agent/record/transcript.ts'
import type { LoggedTurn, Turn } from '../../../shared/session/conversation-turns.ts'
import { call, calls, gate, say, startScriptedModel } from '../../support/scripted-model.ts'
import { answer, call as callPart, ended, input } from '../support/events.ts'
import { openRig } from '../support/rig.ts'
import { httpProvider } from '../support/runtime.ts'
import { type ProviderAnswer, scriptedProvider } from '../support/scripted-provider.ts'

const read = (path: string) => call('read_file', { file_path: path })
const used = (tokens: number) => ({ usage: { input: tokens, output: 0 } })

/** Runs three requests of the user. The third answer fills 93 % of a context window of 1,000 tokens. */
async function fullRig(...rest: readonly ProviderAnswer[]) {
  const provider = scriptedProvider([say('One.', used(100)), say('Two.', used(500)), say('Three.', used(930)), ...rest])
  const rig = await openRig(provider, { contextWindow: 1000 })
  for (const words of ['First, in British English', 'Second', 'Third']) {
    rig.session.submit(words)
    await rig.session.idle()
  }
  return { provider, rig, go: (words: string) => (rig.session.submit(words), rig.session.idle()) }
}

const contentOf = (turn: LoggedTurn | Turn | undefined): string =>
  turn && 'content' in turn && typeof turn.content === 'string' ? turn.content : ''

describe('compaction at 92 % of the window (D-17)', () => {
  test('the model summarizes its context, and continues with the summary, the pinned messages and the newest turns', async () => {
    const { provider, rig, go } = await fullRig(say('They want a parser; a.ts is done.', used(940)), say('Four.', used(120)))
    await go('Fourth')
    const [summary, next] = provider.requests.slice(3)
    const before = provider.requests[2]
    expect(summary?.turns.slice(0, before?.turns.length)).toEqual(before?.turns)
    expect([summary?.system, summary?.tools]).toEqual([before?.system, before?.tools])
    expect(contentOf(summary?.turns.at(-1))).toMatch(/^The context is nearly full\. Write a summary/u)
    const first = contentOf(next?.turns[0])
    expect(first).toContain('They want a parser; a.ts is done.')
    expect(first).toContain('<message>\nFirst, in British English\n</message>')
    expect(next?.turns.at(-1)).toEqual({ kind: 'user', content: 'Fourth' })
    const { compactions, context, items, ended: end } = rig.session.state()
    expect({ end, count: compactions.length, why: compactions[0]?.why, before: compactions[0]?.tokensBefore }).toEqual({
      end: 'completed',
      count: 1,
      why: 'threshold',
      before: 932,
    })
    expect(context).toBe(120)
    expect(items.length).toBeGreaterThan(0)
    expect(rig.replay().items.map((item) => item.kind)).toEqual([
      'user',
      'prose',
      'user',
      'prose',
      'user',
      'prose',
      'user',
      'notice',
      'prose',
    ])
    expect(rig.kinds().slice(-6)).toEqual(['USER_INPUT', 'USAGE', 'COMPACTED', 'ASSISTANT_TURN', 'USAGE', 'PROCESSING_END'])
  })

  test('another process that continues the session makes exactly the same next request', async () => {
    const answers = [say('A summary.', used(940)), say('Four.', used(120)), say('Five.', used(130))] as const
    const one = await fullRig(...answers)
    await one.go('Fourth')
    await one.go('Fifth')
    const two = await fullRig(...answers)
    await two.go('Fourth')
    await two.rig.session.suspend()
    const session = await two.rig.takeOver()
    session.submit('Fifth')
    await session.idle()
    expect(JSON.stringify(two.provider.requests.at(-1))).toBe(JSON.stringify(one.provider.requests.at(-1)))
  })

  test('undoing a compaction gives the model the whole conversation again, but is not possible while a turn runs', async () => {
    const { provider, rig, go } = await fullRig(say('A summary.', used(940)), say('Four.', used(120)))
    expect(rig.session.undoCompaction()).toMatchObject({ ok: false, trouble: { code: 'not_compacted' } })
    await go('Fourth')
    expect(rig.session.undoCompaction()).toEqual({ ok: true })
    expect(rig.session.state()).toMatchObject({ run: 'IDLE', compactions: [], context: 932 })
    const turns = rig.session.record.memory().transcript.turns()
    expect(turns).toEqual(rig.session.record.memory().transcript.all())
    expect(turns.map((turn) => (turn.kind === 'user' ? turn.content : turn.kind))).toEqual([
      'First, in British English',
      'assistant',
      'Second',
      'assistant',
      'Third',
      'assistant',
      'Fourth',
      'assistant',
    ])
    expect(provider.requests.length).toBe(5)
  })

  test('after a compaction is undone, the conversation is not compacted again until the window is full', async () => {
    const { provider, rig, go } = await fullRig(
      say('A summary.', used(940)),
      say('Four.', used(120)),
      say('Five.', used(950)),
      say('Six.', used(999)),
      say('Another summary.', used(1010)),
      say('Seven.', used(130)),
    )
    await go('Fourth')
    expect(rig.session.undoCompaction()).toEqual({ ok: true })
    await go('Fifth')
    await go('Sixth')
    expect(rig.session.state()).toMatchObject({ compactions: [], context: 999 })
    expect(provider.requests.at(-1)?.turns.length).toBe(rig.session.record.memory().transcript.all().length - 1)
    await go('Seventh')
    expect(rig.session.state()).toMatchObject({ compactions: [{ why: 'threshold' }], context: 130 })
  })

  test('the sizes before and after a compaction both include the prompt and tools', async () => {
    const system = 'x'.repeat(4000)
    const provider = scriptedProvider([
      say('One.', used(100)),
      say('Two.', used(9_500)),
      say('S.', used(9_600)),
      say('Three.', used(1_300)),
    ])
    const rig = await openRig(provider, { contextWindow: 10_000, systemPrompt: () => Promise.resolve(system), tools: [] })
    for (const words of ['First', 'Second', 'Third']) {
      rig.session.submit(words)
      await rig.session.idle()
    }
    const [receipt] = rig.session.state().compactions
    expect(receipt?.tokensBefore).toBe(9_502)
    expect(receipt?.tokensAfter).toBeGreaterThan(1_000)
    expect(receipt?.tokensAfter).toBeLessThan(1_200)
  })

  test('if the model calls tools instead of writing a summary, a list of its newest calls is used as the summary', async () => {
    const { provider, rig, go } = await fullRig(calls(call('write_file', { file_path: 'x', content: 'x' })), say('Four.', used(120)))
    await go('Fourth')
    expect(contentOf(provider.requests[4]?.turns[0])).toContain('No summary was written.')
    expect(rig.kinds()).not.toContain('TOOL_CALL_START')
    expect(rig.session.state().ended).toBe('completed')
  })

  test('an empty summary is replaced by a list of the calls, and is not requested again (fault 50)', async () => {
    const { provider, rig, go } = await fullRig(say('', used(930)), say('Four.', used(120)))
    const before = rig.events()
    expect((await go('Fourth')).ended).toBe('completed')
    expect(contentOf(provider.requests[4]?.turns[0])).toContain('No summary was written.')
    expect([provider.requests.length, rig.kinds().filter((kind) => kind === 'COMPACTED').length]).toEqual([5, 1])
    expect(rig.events().slice(0, before.length)).toEqual(before)
  })

  test('a failed summary ends the turn with the reason, and the message can be sent again (fault 50)', async () => {
    const { provider, rig, go } = await fullRig(
      { kind: 'failure', failure: { code: 'authentication', message: 'Wrong key.' } },
      say('S.'),
      say('Four.'),
    )
    expect((await go('Fourth')).ended).toBe('error')
    expect(rig.events().findLast(({ kind }) => kind === 'ERROR')).toMatchObject({ error: { what: 'Wrong key.' } })
    rig.session.resume()
    expect((await rig.session.idle()).ended).toBe('completed')
    expect(provider.requests.length).toBe(6)
  })

  test('a stop during the summary leaves everything unchanged', async () => {
    const held = gate()
    const provider = scriptedProvider(async (_, index) => {
      if (index === 1) await held.opened
      return say(`${index}`, used(950))
    })
    const rig = await openRig(provider, { contextWindow: 1000 })
    rig.session.submit('First')
    await rig.session.idle()
    rig.session.submit('Second')
    await rig.session.record.until(
      () => (rig.session.state().live?.waitingFor?.what === 'a summary of the conversation' ? true : null),
      AbortSignal.timeout(60_000),
    )
    await rig.session.stop()
    expect(rig.session.state()).toMatchObject({ run: 'IDLE', ended: 'stopped', compactions: [] })
    expect(rig.kinds()).not.toContain('COMPACTED')
    held.open()
  })

  test('nothing is compacted if compaction is off or the window size is unknown', async () => {
    for (const options of [{ contextWindow: 1000, limits: { compactAt: 0 } }, {}]) {
      const provider = scriptedProvider([say('One.', used(990)), say('Two.', used(995))])
      const rig = await openRig(provider, options)
      rig.session.submit('First')
      await rig.session.idle()
      rig.session.submit('Second')
      await rig.session.idle()
      expect(rig.kinds()).not.toContain('COMPACTED')
    }
  })
})

describe('a conversation that the service refuses as too long (D-16, AC11.3)', () => {
  const tooLong = { kind: 'failure', failure: { code: 'context_length', message: 'Too long.' } } as const

  test('is compacted with shortened tool results, and the turn continues', async () => {
    const provider = scriptedProvider([calls(read('long.txt')), tooLong, say('It is a long file.', used(300)), say('Done.', used(200))])
    const rig = await openRig(provider, { contextWindow: 20_000 })
    await writeFile(join(rig.folder, 'long.txt'), 'word '.repeat(8000))
    rig.session.submit('Read it')
    await rig.session.idle()
    expect(rig.session.state().ended).toBe('completed')
    const asked = provider.requests[2]?.turns ?? []
    expect(estimateTokens(asked)).toBeLessThan(4000)
    expect(JSON.stringify(asked)).toContain('characters left out')
    expect(rig.events().find(({ kind }) => kind === 'COMPACTED')).toMatchObject({ why: 'overflow', pinned: 1 })
  })

  test('if the summary request is also too long, a shorter request is sent', async () => {
    const provider = scriptedProvider([calls(read('long.txt')), say('It is a long file.', used(300)), say('Done.', used(200))])
    const rig = await openRig(provider, { contextWindow: 4000 })
    await writeFile(join(rig.folder, 'long.txt'), 'word '.repeat(8000))
    rig.session.submit('Read it')
    await rig.session.idle()
    expect(rig.session.state().ended).toBe('completed')
    expect(estimateTokens(provider.requests[1]?.turns ?? [])).toBeLessThan(4000)
  })

  test.each([
    [400, { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 213000 tokens > 200000 maximum' } }],
    [413, { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }],
  ])(
    'over HTTP, with status %i: after one compaction the turn ends with an error that offers choices (fault 50)',
    async (status, error) => {
      const model = await startScriptedModel(({ index }) =>
        index === 0
          ? say('One.')
          : index === 2
            ? say('S.')
            : { kind: 'raw', status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(error) },
      )
      onTestFinished(() => model.close())
      const provider = httpProvider(model.url)
      onTestFinished(() => provider.close())
      const rig = await openRig(provider)
      for (const words of ['First', 'Second']) {
        rig.session.submit(words)
        await rig.session.idle()
      }
      expect([model.requests.length, rig.kinds().filter((kind) => kind === 'COMPACTED').length]).toEqual([4, 1])
      expect(rig.events().slice(-2)).toMatchObject([
        {
          kind: 'ERROR',
          error: { code: 'context_length', kept: expect.stringMatching(/\S/) as unknown, todo: expect.stringMatching(/\S/) as unknown },
        },
        { kind: 'PROCESSING_END', reason: 'error' },
      ])
      expect(rig.session.record.memory().transcript.all().map(contentOf)).toEqual(['First', '', 'Second'])
    },
  )

  test('is compacted only once, even if the service still refuses it and more could be left out (fault 50)', async () => {
    const provider = scriptedProvider((request, index) => {
      if (index < 6) return say(`Answer ${index}. `.repeat(20))
      return contentOf(request.turns.at(-1)).startsWith('The context is nearly full') ? say('A summary.') : tooLong
    })
    const rig = await openRig(provider, { contextWindow: 20_000 })
    for (let index = 0; index < 6; index++) {
      rig.session.submit(`Question ${index}`)
      await rig.session.idle()
    }
    rig.session.submit('One too many')
    expect((await rig.session.idle()).ended).toBe('error')
    expect([rig.kinds().filter((kind) => kind === 'COMPACTED').length, provider.requests.length]).toEqual([1, 9])
    expect(provider.requests.at(-1)?.turns.length).toBeGreaterThan(2)
    expect(rig.events().at(-2)).toMatchObject({ kind: 'ERROR', error: { code: 'context_length' } })
    expect(rig.session.record.memory().transcript.all().length).toBe(13)
    expect(rig.session.undoCompaction()).toEqual({ ok: true })
  })

  test('a second refusal ends the turn, because another compaction would not help (fault 50)', async () => {
    const provider = scriptedProvider([say('One.'), tooLong, say('S.'), tooLong])
    const rig = await openRig(provider)
    rig.session.submit('First')
    await rig.session.idle()
    rig.session.submit('Second')
    expect((await rig.session.idle()).ended).toBe('error')
    expect(rig.kinds().filter((kind) => kind === 'COMPACTED')).toEqual(['COMPACTED'])
    expect(provider.requests.length).toBe(4)
  })
})

describe('the parts of a compaction', () => {
  test('a compaction that was undone after a failed turn happens again in the next turn', async () => {
    const failing = { kind: 'failure', failure: { code: 'server', message: 'Down.' } } as const
    const { rig, go } = await fullRig(say('S.', used(940)), failing, say('S again.', used(940)), say('Five.', used(100)))
    expect((await go('Fourth')).ended).toBe('error')
    expect(rig.session.undoCompaction()).toEqual({ ok: true })
    expect((await go('Fifth'.padEnd(400, '!'))).ended).toBe('completed')
    expect(rig.session.state().compactions.length).toBe(1)
  })

  test('only user messages are pinned: long messages are cut, older messages are left out, and both gaps are marked in the text', () => {
    const turns: LoggedTurn[] = [
      { kind: 'user', content: 'old '.repeat(1500) },
      { kind: 'steering', content: 'Go on.', by: 'loop' },
      { kind: 'user', content: 'x'.repeat(13_000) },
      { kind: 'steering', content: 'Faster' },
    ]
    const pinned = pinnedMessages(turns)
    expect(pinned).toEqual({ texts: [`${'x'.repeat(3000)}\n[… 7000 characters left out …]\n${'x'.repeat(3000)}`, 'Faster'], leftOut: 1 })
    expect(summaryText('S', pinned)).toContain('(older messages left out)')
  })

  test.each([
    ['no block', 'S.', 'S.', []],
    ['an empty block', 'S.\n<remember>\n</remember>', 'S.', []],
    ['notes', 'S.\n<remember>\n- Tests: npm test.\n* Tabs\n</remember>', 'S.', ['Tests: npm test.', 'Tabs']],
    ['too many', `S.<remember>${'\n- a'.repeat(9)}\n</remember>`, 'S.', ['a', 'a', 'a', 'a', 'a']],
    ['one that is too long', `S.<remember>\n- ${'a'.repeat(301)}\n- b\n</remember>`, 'S.', ['b']],
    ['a block that is not closed', 'S.\n<remember>\n- a', 'S.\n<remember>\n- a', []],
  ])('memory notes are extracted from a summary: %s', (_, written, summary, notes) => {
    expect(notesApart(written)).toEqual({ summary, notes })
  })

  const user = (content: string): LoggedTurn => ({ kind: 'user', content })

  test('the kept turns never begin with tool results, and never exceed their budget', () => {
    const turn = fc.oneof(
      fc.string({ maxLength: 400 }).map(user),
      fc.string({ maxLength: 400 }).map((output): LoggedTurn => ({
        kind: 'tool_results',
        results: [{ toolCallId: callPart('a').toolCallId, toolName: 'grep', output, isError: false }],
      })),
    )
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 30 }), fc.integer({ min: 0, max: 1500 }), (turns, budget) => {
        const kept = keptTurns(turns, budget)
        expect(kept === null).toBe(turns.length === 1)
        if (kept === null) return
        const tail = turns.slice(turns.length - kept)
        expect(kept).toBeLessThan(turns.length)
        expect(tail[0]?.kind).not.toBe('tool_results')
        expect(estimateTokens(tail)).toBeLessThanOrEqual(budget)
      }),
    )
  })

  test('shortened turns fit into the limit and end with the newest turn', () => {
    const turns: LoggedTurn[] = Array.from({ length: 50 }, (_, index) => user(`${index} `.repeat(100)))
    const short = shortenedTurns(turns, 500)
    expect(estimateTokens(short)).toBeLessThanOrEqual(500)
    expect(short.at(-1)).toEqual(turns.at(-1))
  })

  test('a second compaction builds on the first, and each undo reverts one of them', () => {
    const transcript = createTranscript()
    const compacted = (words: string, kept: number) =>
      ({ kind: 'COMPACTED', text: words, kept, why: 'threshold', dropped: 1, pinned: 0, tokensBefore: 9, tokensAfter: 1 }) as const
    for (const event of [
      input('a'),
      answer([{ kind: 'text', text: 'b' }]),
      input('c'),
      compacted('S1', 1),
      answer([callPart('x')]),
      ended('x'),
      compacted('S2', 2),
    ])
      transcript.add(event)
    const shown = () => transcript.turns().map((turn) => (turn.kind === 'user' ? turn.content : turn.kind))
    expect(shown()).toEqual(['S2', 'assistant', 'tool_results'])
    transcript.add({ kind: 'COMPACTION_UNDONE' })
    expect(shown()).toEqual(['S1', 'c', 'assistant', 'tool_results'])
    transcript.add({ kind: 'COMPACTION_UNDONE' })
    expect(shown()).toEqual(['a', 'assistant', 'c', 'assistant', 'tool_results'])
  })
})
