import { describe, expect, test } from 'vitest'
import { foldingOf } from '../../../../../renderer/tools/views.ts'
import { longCommand } from '../../../../../renderer/ui/calls/command-words.ts'
import { emptySession, foldAll } from '../../../../../shared/session/fold/fold.ts'
import type { CallItem } from '../../../../../shared/session/state.ts'
import { begun, ended, executing, SESSION, stamped, started } from '../../../../agent/support/events.ts'

function ran(command: string, toolName = 'shell', output = ''): CallItem {
  const events = [started(), begun('c1', toolName, { command }), executing('c1'), ended('c1', output, { toolName })]
  return foldAll(emptySession(SESSION), stamped(events)).items.find((item): item is CallItem => item.kind === 'call') as CallItem
}

describe('a command in the ledger', () => {
  test('that has several lines can be expanded, even without output', () => {
    expect(longCommand(ran('cat <<EOF\none\nEOF\n'))).toBe('cat <<EOF\none\nEOF')
    expect(foldingOf(ran('cat <<EOF\none\nEOF\n'))).toBe('closed')
  })

  test('that is one long line can also be expanded', () => {
    const command = `printf '%s' ${'x'.repeat(100)}`
    expect(longCommand(ran(command))).toBe(command)
  })

  test('that fits on its line has only its output to expand', () => {
    expect([longCommand(ran('npm test\n')), foldingOf(ran('npm test')), foldingOf(ran('npm test', 'shell', 'ok'))]).toEqual([
      null,
      'none',
      'closed',
    ])
  })

  test('that was passed to a tool that runs no commands cannot be expanded', () => {
    expect(longCommand(ran('a\nb', 'my_tool'))).toBe(null)
  })
})
