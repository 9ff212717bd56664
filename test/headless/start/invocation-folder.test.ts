import { expect, it } from 'vitest'
import { invocationFolder } from '../../../main/headless/start/invocation-folder.ts'

const ROOT = '/opt/countersign'
const BY_NPM = { npm_lifecycle_event: 'agent', INIT_CWD: '/home/me/project' }

it.each([
  ['our own script', BY_NPM, ROOT, '/home/me/project'],
  ['our own script, by an npm that does not report the folder', { npm_lifecycle_event: 'agent' }, ROOT, ROOT],
  ['no npm', {}, '/home/me/project', '/home/me/project'],
  ['another script of ours', { ...BY_NPM, npm_lifecycle_event: 'test' }, ROOT, ROOT],
  ['a script of the same name in another package', BY_NPM, '/home/me/other', '/home/me/other'],
])('the user’s folder is found if the agent is started by %s', (_, env, cwd, folder) => {
  expect(invocationFolder({ env, cwd, root: ROOT })).toBe(folder)
})
