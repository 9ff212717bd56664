import { expect, test } from 'vitest'
import type { Effect } from '../../../../shared/session/effects.ts'
import { needOfCalls } from '../../../../shared/session/fold/session-need.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { requested } from '../../../agent/support/events.ts'

const waiting = (effects: readonly unknown[], more: Partial<CallItem> = {}): CallItem => ({ effects, ...more }) as CallItem
const write = (path: string): unknown => ({ kind: 'write', path, shown: path })
const link = (path: string): unknown => ({ kind: 'link', path, shown: path })
const [COMMAND] = requested('a', 'a').effects as readonly [Effect]
const HOST = { kind: 'network', url: 'https://example.test/', host: 'example.test' }
const plan = (count: number): unknown => ({
  kind: 'mode',
  to: 'ask',
  plan: '',
  document: { steps: Array.from({ length: count }, () => ({})) },
})

const from = (...turns: readonly number[]): unknown => ({
  ...COMMAND,
  broughtFrom: { agent: { id: 'codex', name: 'Codex', turns: turns.map((turn) => ({ turn, first: 1, last: 1 })) } },
})

test.each<readonly [string | null, readonly CallItem[]]>([
  [null, []],
  ['A command', [waiting([COMMAND])]],
  ['A command asks for example.test', [waiting([{ ...COMMAND, sandbox: 'copy' }, HOST])]],
  ['A change to 1 file', [waiting([write('a.ts')])]],
  ['A change to 1 file', [waiting([write('a.ts'), write('a.ts')])]],
  ['A change to 2 files', [waiting([{ ...COMMAND, sandbox: 'copy' }, write('a.ts'), { kind: 'delete', path: 'b.ts', shown: 'b.ts' }])]],
  ['A change to 2 files', [waiting([{ ...COMMAND, sandbox: 'copy' }, write('a.ts'), link('a.ts'), link('b.ts')])]],
  ['Codex, turn 3, 2 files', [waiting([from(3), write('a.ts'), write('b.ts')])]],
  ['Codex, 2 turns, 1 file', [waiting([from(1, 3), write('a.ts')])]],
  ['A change to 1 file', [waiting([{ ...COMMAND, broughtFrom: {} }, write('a.ts')])]],
  ['A change to the repository', [waiting([COMMAND], { copy: { outcome: { git: {} } } as unknown as NonNullable<CallItem['copy']> })]],
  ['Asked you a question', [waiting([{ kind: 'question', questions: [] }])]],
  ['The MCP server tickets asks you something', [waiting([{ kind: 'question', questions: [], from: { server: 'tickets' } }])]],
  ['Plan of 3 steps', [waiting([plan(3)])]],
  ['Plan', [waiting([plan(0)])]],
  ['A step to sign', [waiting([HOST])]],
  ['2 steps to sign', [waiting([COMMAND]), waiting([write('a.ts')])]],
])('calls that wait need %j', (need, calls) => {
  expect(needOfCalls(calls)).toBe(need)
})
