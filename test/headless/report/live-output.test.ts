import { describe, expect, it } from 'vitest'
import { createLiveOutput } from '../../../main/headless/report/live-output.ts'
import type { Line } from '../../../main/headless/report/event-lines.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { SessionEvent } from '../../../shared/session/events.ts'

type End = Extract<SessionEvent, { kind: 'TOOL_CALL_END' }>

const toolCallId = 'call' as ToolCallId
const textsOf = (lines: readonly Line[] | null): readonly string[] | null =>
  lines?.flatMap((line) => (typeof line === 'string' ? [line] : line.text.split('\n'))) ?? null
const rig = () => {
  const live = createLiveOutput()
  return {
    tail: (tail: string) => textsOf(live.linesOf({ kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId, tail, bytes: tail.length })),
    end: (output: string) => textsOf(live.restOf({ kind: 'TOOL_CALL_END', toolCallId, output } as End)),
  }
}

describe('a running command', () => {
  it('shows each line once, as soon as it is complete, and the rest when the command ends', () => {
    const { tail, end } = rig()
    expect([tail('one\ntw'), tail('one\ntwo\n'), tail('one\ntwo\n'), tail('one\ntwo\nthree\nfo'), end('one\ntwo\nthree\nfour\n')]).toEqual([
      ['one'],
      ['two'],
      [],
      ['three'],
      ['four'],
    ])
  })

  it('shows a progress bar once, in its final state', () => {
    const { tail, end } = rig()
    expect([tail('go\n10 %'), tail('go\n50 %'), tail('go\n100 %\n'), end('go\n100 %\n')]).toEqual([['go'], [], ['100 %'], []])
  })

  it('shows all its output when it ends, if it printed no complete line before', () => {
    const { tail, end } = rig()
    expect([tail('half a li'), end('half a line')]).toEqual([[], null])
  })

  it('shows only new lines when the start of the output has been dropped from the buffer, and reports skipped lines', () => {
    const { tail } = rig()
    const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `line ${from + at}`)
    const cut = (to: number) => `${lines(0, to).join('\n')}\n`.slice(-2000)
    expect(tail(cut(100))).toEqual(lines(0, 100))
    expect(tail(cut(150))).toEqual(lines(100, 150))
    const after = tail(`${lines(150, 800).join('\n')}\n`.slice(-2000)) ?? []
    expect([after[0], after.length, after.at(-1)]).toEqual(['   … some lines were not shown', 52, '   … the rest is kept in the session'])
    expect(tail(cut(900))).toEqual([])
  })
})
