import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentLog } from '../../main/foreign-agents/agent-log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ID = '0199b5d2-6a53-7c31-a5d8-5b5b0c0f8b11'

test('the log of an agent’s session is the newest file below its state folders with the session’s id, or the first part of a UUID, in its name; links do not count', async () => {
  const state = temporaryFolder('state')
  const day = join(state, 'sessions/2026/11/29')
  await mkdir(day, { recursive: true })
  const log = join(day, `rollout-2026-11-29-${ID}.jsonl`)
  const older = join(state, `${ID}.lock`)
  await writeFile(log, '{}\n')
  await writeFile(older, '')
  await utimes(older, 1, 1)
  await writeFile(join(day, 'rollout-2026-11-29-another.jsonl'), '{}\n')
  await symlink('/etc/passwd', join(state, `linked-${ID}`))
  expect(await agentLog([join(state, 'missing'), state], ID)).toBe(log)
  expect(await agentLog([state], '0199b5d2-another-session')).toBeNull()
  expect(await agentLog([state], 'rollou')).toBeNull()
  const short = join(state, 'session-2026-11-29T18-44-29b2d7fd.jsonl')
  await writeFile(short, '{}\n')
  expect(await agentLog([state], '29b2d7fd-7748-4b9f-bea8-6f8e6f94846e')).toBe(short)
})
