import { describe, expect, test } from 'vitest'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { emptySession, fold } from '../../../shared/session/fold/fold.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { answer, input, SESSION, stamped } from '../../agent/support/events.ts'

const stateOf = (...events: readonly DurableEvent[]): SessionState => fold(emptySession(SESSION), ...stamped(events))
const text = (words: string) => ({ kind: 'text', text: words }) as const

describe('what the list shows for a session', () => {
  test('the title comes from the first message unless the user gives a name', () => {
    const renamed = (name: string): DurableEvent => ({ kind: 'SESSION_RENAMED', name })
    expect(stateOf(input('  Mend the bug\nplease'), input('Other')).title).toBe('Mend the bug')
    expect(stateOf(input('Mend it'), renamed(' My\u202E name '), input('Other')).title).toBe('My name')
    expect(stateOf(renamed('Early'), input('Mend it')).title).toBe('Early')
    expect(stateOf(renamed('Early'), input('Mend it'), renamed('')).title).toBe('Mend it')
  })

  test('renaming changes neither the run state nor the time of the last change', () => {
    const before = stateOf(input('Mend it'))
    const after = stateOf(input('Mend it'), { kind: 'SESSION_RENAMED', name: 'Other' })
    expect([after.run, after.updatedAt, after.title]).toEqual([before.run, before.updatedAt, 'Other'])
  })

  test.each([
    ['Which of the two?', 'completed', true],
    ['Both would do. Which one?\n\n1. This\n2. That\n', 'completed', true],
    ['どちらですか？', 'completed', true],
    ['Done: why not? It works.', 'completed', false],
    ['Which of the two?', 'stopped', false],
  ] as const)('recognizes whether a turn ended with a question: %j, %s', (words, reason, asks) => {
    const { turnEnd, cursor } = stateOf(input('Go'), answer([text(words)]), { kind: 'PROCESSING_END', reason })
    expect(turnEnd).toEqual({ seq: cursor, asks })
  })
})
