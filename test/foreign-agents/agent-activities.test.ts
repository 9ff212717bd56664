import { readFileSync } from 'node:fs'
import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { describe, expect, test } from 'vitest'
import { createAgentActivities } from '../../main/foreign-agents/protocol/agent-activities.ts'
import type { AgentActivity } from '../../main/agent/ports/foreign-agent.ts'

type TraceLine = { readonly update: SessionUpdate } | { readonly asked: ToolCallUpdate }

const TRACES = new URL('../fixtures/foreign-agents/traces/', import.meta.url)

/** What the agent did in its recorded turn: read, edit, write and run, as its scripted model told it to. */
function activitiesOf(agent: string): readonly AgentActivity[] {
  const { of, asked, closeOpen } = createAgentActivities('/srv/project')
  const lines = readFileSync(new URL(`${agent}.jsonl`, TRACES), 'utf8')
    .trimEnd()
    .split('\n')
  const told = lines
    .map((line) => JSON.parse(line) as TraceLine)
    .flatMap((line) => ('update' in line ? of(line.update) : asked(line.asked)))
  return [...told, ...closeOpen()]
}

/** One line for each begin of a call and one for each end. */
function linesOf(all: readonly AgentActivity[]): readonly string[] {
  return all.flatMap((one) => {
    if (one.kind === 'call') return [`${one.call.kind} ${one.call.title}`]
    return one.kind === 'call_end' ? [one.isError ? '- failed' : '- done'] : []
  })
}

const textIn = (all: readonly AgentActivity[]): string => all.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join('')

const RUN = 'execute echo shell-ran > made-by-shell.txt; cat made-by-shell.txt'

describe('recorded turns: read, edit, write, run', () => {
  test.each([
    [
      'goose',
      [
        'other shell · cat /srv/project/hello.txt',
        'other edit · /srv/project/hello.txt',
        'other write · /srv/project/new.txt',
        'other shell · echo shell-ran > made-by-shell.txt; cat made-by-shell.txt',
      ],
    ],
    ['codex', ["read Read file '/srv/project/hello.txt'", 'edit hello.txt', 'edit new.txt', RUN]],
    ['claude', ['read Read hello.txt', 'edit Edit hello.txt', 'edit Write new.txt', RUN]],
    ['gemini', ['read hello.txt', 'edit hello.txt: beta => BETA', 'edit Writing to new.txt', RUN]],
    ['opencode', ['read hello.txt', 'edit hello.txt', 'edit new.txt', RUN]],
    ['pi', ['read hello.txt', 'edit hello.txt', 'edit new.txt', RUN]],
    ['qwen', ['read ReadFile: hello.txt', 'edit hello.txt', 'edit Writing to new.txt', RUN]],
  ])('%s: each call begins once with its title and ends once', (agent, calls) => {
    const all = activitiesOf(agent)
    expect(linesOf(all)).toEqual(calls.flatMap((line) => [line, '- done']))
    expect(textIn(all)).toContain('All done.')
    const outputs = all.flatMap((one) => (one.kind === 'call_end' ? [one.output] : []))
    expect(outputs.at(-1)).toMatch(/shell-ran|current working directory/u)
  })

  test('cline: a call that the agent leaves open ends with the turn', () => {
    expect(linesOf(activitiesOf('cline'))).toEqual([expect.stringMatching(/^read read_files/u), expect.stringMatching(/^- /u)])
  })
})

describe('updates in any order', () => {
  const call = (fields: object): SessionUpdate => ({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...fields })

  test('an update without an announcement begins its call, and updates after the end are ignored', () => {
    const { of } = createAgentActivities('/w')
    const all = [
      ...of(call({ title: 'Find', kind: 'search', status: 'completed' })),
      ...of({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Find', status: 'pending' }),
      ...of(call({ status: 'failed' })),
    ]
    expect(linesOf(all)).toEqual(['search Find', '- done'])
  })

  test('output in pieces is joined, and complete output replaces earlier output', () => {
    const { of } = createAgentActivities('/w')
    const piece = (data: string): SessionUpdate => call({ _meta: { terminal_output_delta: { data } } })
    of(call({ title: 'run', status: 'in_progress' }))
    of(piece('one '))
    of(piece('two'))
    expect(of(call({ status: 'completed' }))).toEqual([{ kind: 'call_end', id: 't', output: 'one two', isError: false }])
    const whole = (text: string): SessionUpdate =>
      call({ toolCallId: 'u', content: [{ type: 'content', content: { type: 'text', text } }] })
    of(call({ toolCallId: 'u', title: 'read', status: 'in_progress' }))
    of(whole('first'))
    of(whole('second'))
    expect(of(call({ toolCallId: 'u', status: 'completed' }))).toEqual([{ kind: 'call_end', id: 'u', output: 'second', isError: false }])
  })

  test('the end of a long output is kept and all its bytes are counted, even if complete output is sent again', () => {
    const { of } = createAgentActivities('/w')
    const lastOf = (all: readonly AgentActivity[]): AgentActivity | undefined => all.at(-1)
    of(call({ title: 'run', status: 'in_progress' }))
    const pieces = Array.from({ length: 300 }, (_, at) => `${at}é`.padEnd(1_000, '.'))
    const told = pieces.map((data) => lastOf(of(call({ _meta: { terminal_output_delta: { data } } })))).at(-1)
    const all = pieces.join('')
    expect(told).toMatchObject({ kind: 'call_output', output: { tail: all.slice(-200_000), bytes: 300_300 } })
    const whole = (data: string) => of(call({ _meta: { terminal_output: { data } } }))
    expect(whole(all)).toEqual([])
    expect(lastOf(whole(`${all}more`))).toMatchObject({ output: { tail: `${all}more`.slice(-200_000), bytes: 300_304 } })
    expect(of(call({ status: 'completed' }))).toEqual([
      {
        kind: 'call_end',
        id: 't',
        output: `[The first 100004 characters of the output were not kept.]\n${`${all}more`.slice(-200_000)}`,
        isError: false,
      },
    ])
  })

  test('a request for permission begins a call that was not announced', () => {
    const { asked, of, closeOpen } = createAgentActivities('/w')
    const all = [...asked({ toolCallId: 't', title: 'Write a.txt', kind: 'edit' }), ...of(call({ status: 'in_progress' })), ...closeOpen()]
    expect(linesOf(all)).toEqual(['edit Write a.txt', '- failed'])
  })
})
