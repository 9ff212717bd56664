import { expect, test } from 'vitest'
import { shapedAnswer } from '../../main/providers/answer/shaped-answer.ts'
import { NO_USAGE } from '../../shared/session/content.ts'

test.each(['content_filter', 'pause', 'error', 'other'] as const)(
  'a structured answer that ended with %s keeps that stop reason (L-27, fault 48)',
  (stopReason) => {
    const answer = { parts: [{ kind: 'text', text: '{"ste' }], stopReason, responseId: null, usage: NO_USAGE } as const
    expect(shapedAnswer(answer, { name: 'plan', schema: {} }, 'The service')).toEqual({ ok: true, value: answer })
  },
)
