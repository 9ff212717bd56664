import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, calls, say } from '../support/scripted-model.ts'
import { runAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'

const noting = (event: string, file: string) => [{ hooks: [{ type: 'command', command: `echo ${event} >> ${file}` }] }]

test('a run without a window runs the hooks of the session: its start, its requests, its end', async () => {
  const at = await place([calls(call('write_file', { file_path: 'a.txt', content: 'a' })), say('Done.')])
  const file = join(at.cwd, 'noted')
  const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Notification', 'Stop', 'SessionEnd'] as const
  await writeFile(
    join(at.data, 'hooks.json'),
    JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, noting(event, file)])) }),
  )
  await runAgent(['--approve', 'none', 'Write it'], at)
  const noted = (await readFile(file, 'utf8')).trim().split('\n')
  // Nothing waits for a Notification hook, so its place in the order is open.
  expect(noted).toContain('Notification')
  expect(noted.filter((event) => event !== 'Notification')).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'Stop',
    'SessionEnd',
  ])
})
