import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limitsOf } from '../../main/tools/truncation/truncation-limits.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Family, openFamily } from '../subagents/support/family.ts'

const systemOf = ({ model }: Family): string => {
  const bodies = model.requests.map(({ body }) => body as unknown as { readonly system: readonly { readonly text: string }[] })
  return bodies[0]?.system[0]?.text ?? ''
}
const troubles = ({ parent }: Family) =>
  [...parent.record.read()].flatMap(({ event }) => (event.kind === 'WARNING' ? [event.trouble.what] : []))

test('the prompt ends with the user’s instructions, first from the data folder, then from the settings (AC9.6)', async () => {
  const family = await openFamily(() => say('Done.'), {
    settings: { userInstructions: 'Answer in German.' },
    prepare: ({ data }) => writeFileSync(join(data, 'instructions.md'), 'Prefer small commits.\n'),
  })
  await family.ask()
  expect(systemOf(family)).toMatch(
    /\n# User instructions\n\nThese override everything above\.\n\nPrefer small commits\.\n\nAnswer in German\.$/u,
  )
  expect(troubles(family)).toEqual([])
})

test('an unusable file of instructions is reported, and the settings still apply', async () => {
  const family = await openFamily(() => say('Done.'), {
    settings: { userInstructions: 'Answer in German.' },
    prepare: ({ data }) => writeFileSync(join(data, 'instructions.md'), Uint8Array.of(0xff, 0xfe, 0x41)),
  })
  await family.ask()
  expect(systemOf(family)).toMatch(/above\.\n\nAnswer in German\.$/u)
  expect(troubles(family)).toEqual([expect.stringMatching(/instructions\.md were not used: /u)])
})

test('spawn_agent sets a money budget, which is checked before each request of the subagent', async () => {
  const family = await openFamily(({ who, round }) => {
    if (who === 'PARENT')
      return round === 0 ? calls(call('spawn_agent', { task: 'CHILD-A', agent_type: 'explore', max_cost_usd: 0.000001 })) : say('Thanks.')
    return round === 0 ? calls(call('grep', { pattern: 'x' })) : say('Never asked.')
  })
  await family.ask()
  const child = await family.child()
  await child.running()?.idle()
  expect(child.record.state().parent?.lease.costUsd).toBe(0.000001)
  expect(child.record.state().ended).toBe('limit')
})

test.each(['task', 'wait', 'spawn_agent', 'send_input', 'close_agent'])(
  'a subagent’s result that %s returns is limited to 20,000 characters',
  (name) => {
    expect(limitsOf(name)).toEqual(limitsOf('spawn_agent'))
    expect(limitsOf(name).chars).toBe(20_000)
  },
)
