import { release } from 'node:os'
import { describe, expect, it } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { logging } from '../../main/embed/environments/logging-environment.ts'
import { readOnly } from '../../main/embed/environments/read-only-environment.ts'
import { executionEnvironmentConformance } from '../conformance/execution-environment.ts'
import { hasNoCopies } from './copy/support.ts'
import { hostEnvironment } from './host-environment.ts'
import { sessionLayer } from './layers/session-layer.ts'
import { tempFolder } from './support.ts'

executionEnvironmentConformance('local', () => createLocalExecutionEnvironment(tempFolder()))
executionEnvironmentConformance('host process', () => hostEnvironment(tempFolder()))
executionEnvironmentConformance('clone layer', async () => (await sessionLayer('clone')).environment)
describe.skipIf(hasNoCopies)('where overlays are possible', () => {
  executionEnvironmentConformance('overlay layer', async () => (await sessionLayer('overlay')).environment)
})
executionEnvironmentConformance('local without ripgrep', () => createLocalExecutionEnvironment(tempFolder(), { ripgrep: null }), {
  searchesLines: true,
})
executionEnvironmentConformance('logging over local', () => logging(createLocalExecutionEnvironment(tempFolder()), () => {}))
executionEnvironmentConformance('read-only over local, with the writing and running methods of local', () => {
  const inner = createLocalExecutionEnvironment(tempFolder())
  const { writeFile, writeBytes, deleteFile, symlink, rename, setMode, createFolder, removeFolder, execCommand, openShell, open } = inner
  const writing = { writeFile, writeBytes, deleteFile, symlink, rename, setMode, createFolder, removeFolder, execCommand, openShell, open }
  return { ...readOnly(inner), ...writing }
})

it('P2-52, D-14: the local environment reports Node’s platform, the kernel’s release and its folder as given', () => {
  const folder = tempFolder()
  const env = createLocalExecutionEnvironment(folder)
  expect([env.platform(), env.osVersion(), env.workingDirectory()]).toEqual([process.platform, release(), folder])
})
