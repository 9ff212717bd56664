import { expect, test } from 'vitest'
import { commandIn } from '../../../main/headless/commands/all-commands.ts'

const USE = 'Use bring-in SESSION_ID --branch NAME, or bring-in last --branch NAME.'

test('bring-in with --branch is a command that names one session, and without it is left to the run', async () => {
  expect(await commandIn(['bring-in', 'last', '--branch', 'work', '--yes', '--json'], '/')).toMatchObject({ ok: true })
  expect(await commandIn(['bring-in', '--branch', 'work'], '/')).toEqual({ ok: false, failure: USE })
  expect(await commandIn(['bring-in', 'last', 'more', '--branch', 'work'], '/')).toEqual({ ok: false, failure: USE })
  expect(await commandIn(['bring-in', 'last'], '/')).toBeNull()
})
