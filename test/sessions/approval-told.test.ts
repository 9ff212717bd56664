import { expect, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { say } from '../support/scripted-model.ts'
import { type Family, openFamily } from '../subagents/support/family.ts'

interface Body {
  readonly system: readonly { readonly text: string }[]
  readonly tools: unknown
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

const bodies = ({ model }: Family): readonly Body[] => model.requests.map(({ body }) => body as unknown as Body)
/** Removes the cache marks, which move with the end of the conversation. Everything else in the conversation must stay the same. */
const said = (value: unknown): string => JSON.stringify(value).replaceAll(/,"cache_control":\{[^}]*\}/gu, '')
const toldModes = (body: Body | undefined): readonly string[] =>
  [...said(body?.messages).matchAll(/The approval mode is ([a-z-]+)\./gu)].map(([, mode]) => mode ?? '')

test('the prompt explains the mode, and a mode change is appended without changing earlier bytes', async () => {
  const family = await openFamily(() => say('Done.'), { mode: 'ask' })
  await family.ask('One')
  await family.parent.configure({ mode: 'full' })
  await family.ask('Two')
  await family.ask('Three')
  await family.parent.configure({ mode: 'plan' })
  await family.ask('Four')
  const [one, two, three, four] = bodies(family)
  expect(one?.system[0]?.text).toContain(
    hasNoCopies
      ? 'The approval mode is ask. Edits, commands and web requests wait'
      : 'so do the changes that commands make. Commands of bash and shell run in a copy of the project',
  )
  expect([one, two, three, four].map(toldModes)).toEqual([[], ['full'], ['full'], ['full', 'plan']])
  expect(new Set(bodies(family).map(({ system, tools }) => said({ system, tools }))).size).toBe(1)
  const second = said(two?.messages)
  const third = said(three?.messages)
  expect(third.startsWith(second.slice(0, -'"}]}]'.length))).toBe(true)
})

test('the next process does not report the same mode again', async () => {
  const family = await openFamily(() => say('Done.'), { mode: 'ask' })
  await family.ask('One')
  await family.parent.configure({ mode: 'full' })
  await family.ask('Two')
  await family.app.close()
  const again = await family.again()
  await again.ask('Three')
  expect(toldModes(bodies(again).at(-1))).toEqual(['full'])
})

test('a mode whose message was removed by a compaction is reported again', async () => {
  const full = { usage: { input: 190_000, output: 0 } }
  const family = await openFamily(
    ({ newest }) =>
      newest.includes('Write a summary')
        ? { ...say('A summary.'), ...full }
        : newest.includes('Two')
          ? { ...say('Done.'), ...full }
          : say('Done.'),
    { mode: 'ask' },
  )
  await family.ask('One')
  await family.parent.configure({ mode: 'full' })
  await family.ask('Two')
  await family.ask('Three')
  await family.ask('Four')
  const last = bodies(family).at(-1)
  expect(said(last?.messages)).toContain('A summary.')
  expect(toldModes(last)).toEqual(['full'])
})

test('the user does not see messages about the mode', async () => {
  const family = await openFamily(() => say('Done.'), { mode: 'ask' })
  await family.ask('One')
  await family.parent.configure({ mode: 'full' })
  await family.ask('Two')
  expect(JSON.stringify(family.parent.record.state().items)).not.toContain('The approval mode is')
})
