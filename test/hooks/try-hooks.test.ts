import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, message, say } from '../support/scripted-model.ts'
import { openFamily } from '../subagents/support/family.ts'

const command = 'cat > seen.json; echo ok'

const hooks = (...matchers: readonly string[]) => ({
  hooks: { PreToolUse: matchers.map((matcher) => ({ matcher, hooks: [{ type: 'command', command: `${command} ${matcher}` }] })) },
})

test('a hook can be tried on an event of a recent session, or on an example', async () => {
  const { app, folder, ask } = await openFamily(
    ({ round }) =>
      round === 0
        ? message([call('write_file', { file_path: 'a.txt', content: 'x' }), call('shell', { command: 'echo first' })])
        : say('Done.'),
    {
      sandbox: 'off',
      prepare: (places) => {
        mkdirSync(join(places.folder, '.claude'))
        writeFileSync(join(places.folder, '.claude/settings.json'), JSON.stringify(hooks('Bash', 'Write', 'WebFetch')))
      },
    },
  )
  await ask()
  const listed = (await app.hooks.list(folder)).hooks
  expect(listed.map(({ moments }) => moments.map(({ label }) => label))).toEqual([['Run echo first'], ['Create a.txt'], []])
  const input = (): unknown => JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'))
  const [bash, write] = listed
  if (!bash || !write) throw new Error('There are no hooks.')
  expect(await app.hooks.tryOut(folder, write, write.moments[0]?.id ?? null)).toMatchObject({ outcome: 'passed' })
  expect(input()).toMatchObject({ tool_name: 'Write', tool_input: { file_path: join(folder, 'a.txt'), content: 'x' } })
  await app.hooks.tryOut(folder, bash, null)
  expect(input()).toMatchObject({ tool_input: { command: 'echo hello' } })
  expect(await app.hooks.tryOut(folder, { ...bash, command: 'other' }, null)).toBeNull()
})
