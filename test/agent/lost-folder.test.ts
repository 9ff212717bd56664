import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, calls, say } from '../support/scripted-model.ts'
import { only, rigFor, shell } from './support/scripted-rig.ts'

/** A command in a missing folder can only fail, so it does not ask the user for a signature. */
test.each([
  ['shell', shell('touch made')],
  ['bash', call('bash', { command: 'touch made' })],
  ['a command in the background', call('shell', { command: 'touch made', run_in_background: true })],
])('%s in a deleted project folder fails without a request for approval, and says what to do', async (_, command) => {
  const { rig } = await rigFor([calls(command), say('Done.')])
  await rm(rig.folder, { recursive: true })
  rig.session.submit('go')
  await rig.session.idle()
  const [end] = only(rig, 'TOOL_CALL_END')
  expect(only(rig, 'APPROVAL_REQUESTED')).toEqual([])
  expect([end?.outcome, end?.output]).toEqual([
    'failed',
    expect.stringMatching(/was not run.*Put the folder back, or open the project again/s),
  ])
  expect(end?.modelText ?? end?.output).toContain('Nothing was done')
})

test('a command in a subfolder that does not exist fails without a request', async () => {
  const { rig } = await rigFor([calls(call('shell', { command: 'pwd', working_dir: 'gone' })), say('Done.')])
  rig.session.submit('go')
  await rig.session.idle()
  expect(only(rig, 'APPROVAL_REQUESTED')).toEqual([])
  const [end] = only(rig, 'TOOL_CALL_END')
  expect([end?.outcome, end?.output]).toEqual(['failed', expect.stringContaining(`${join(rig.folder, 'gone')} does not exist`)])
})

test('a command can run in a folder that an earlier step of the round created', async () => {
  const { rig } = await rigFor([calls(shell('mkdir made'), call('shell', { command: 'pwd', working_dir: 'made' })), say('Done.')])
  rig.session.configure({ mode: 'full' })
  rig.session.submit('go')
  await rig.session.idle()
  expect(only(rig, 'TOOL_CALL_END').map(({ outcome }) => outcome)).toEqual(['done', 'done'])
})
