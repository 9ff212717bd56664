import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cutInstructions } from '../../main/prompt/project-documents.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Family, openFamily } from '../subagents/support/family.ts'

const warningsOf = ({ app, parent }: Pick<Family, 'app' | 'parent'>): readonly string[] =>
  [...app.store.log(parent.sessionId).read()].flatMap(({ event }) => (event.kind === 'WARNING' ? [event.trouble.what] : []))

test('if AGENTS.md is too long, the model gets its first part, path and size, and the user is told once per session', async () => {
  const family = await openFamily(
    ({ who, round }) =>
      who === 'PARENT' && round === 0
        ? calls(call('task', { agent_type: 'explore', prompt: 'CHILD-one: look', description: 'Look' }))
        : say('Done.'),
    { prepare: ({ folder }) => writeFileSync(join(folder, 'AGENTS.md'), `First rule.\n${'x'.repeat(40_000)}\nLast rule.`) },
  )
  await family.ask()
  await family.ask('And again')
  const system = JSON.stringify(family.model.requests[0]?.json ?? null)
  expect(system).toMatch(
    /<document path=\\+"AGENTS\.md\\+" included=\\+"first 32\d{3} of 40023 bytes; read the file for the rest\\+">\\+nFirst rule/u,
  )
  expect(system).not.toContain('Last rule')
  const told = 'The project’s instructions are longer than 32 KB. The model gets only the first part of: AGENTS.md (32 of 39 KB).'
  expect(warningsOf(family)).toEqual([told])
  const child = await family.child()
  expect(warningsOf({ app: family.app, parent: child })).toEqual([])
  const next = await family.again()
  await next.ask('After a restart')
  expect(warningsOf(next)).toEqual([told])
})

test('at most five files are named', () => {
  const cut = Array.from({ length: 7 }, (_, index) => ({ path: `${index}/AGENTS.md`, shown: 0, bytes: 2048 }))
  expect(cutInstructions(cut).what).toContain('4/AGENTS.md (0.0 of 2.0 KB) and 2 more.')
})
