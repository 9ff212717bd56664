import { release } from 'node:os'
import { onTestFinished } from 'vitest'
import type { ExecutionEnvironment } from '../../main/agent/ports/execution-environment.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { localHost, startHostProgram } from '../../main/host-process/near/local-host.ts'
import { type HostProcess, type HostStart, startHostProcess } from '../../main/host-process/near/start-host-process.ts'

/** Starts a host process on this machine from the sources. It ends with the test. */
export async function hostOver(folder: string, more: Partial<HostStart> = {}): Promise<HostProcess> {
  const { argv, env, build } = await localHost()
  const host = await startHostProcess({ start: () => startHostProgram(argv, env), build, folder, data: null, ...more })
  onTestFinished(() => host.close())
  return host
}

export async function hostEnvironment(folder: string, options: HostStart['options'] = {}): Promise<ExecutionEnvironment> {
  const { environment } = await hostOver(folder, { options })
  return environment
}

export type Make = (folder: string, options?: HostStart['options']) => ExecutionEnvironment

/** The two environments of this machine, for suites whose promises hold for both. */
export const ENVIRONMENTS: readonly (readonly [name: string, make: Make])[] = [
  ['local', (folder, options) => createLocalExecutionEnvironment(folder, options)],
  ['host process', hostEnvironmentLater],
]

/** An environment whose host process is being started. Each call waits for the start. */
function hostEnvironmentLater(folder: string, options?: HostStart['options']): ExecutionEnvironment {
  const starting = hostEnvironment(folder, options)
  const later =
    (member: string) =>
    async (...args: unknown[]) => {
      const all = (await starting) as unknown as Readonly<Record<string, (...all: unknown[]) => unknown>>
      return all[member]?.(...args)
    }
  const members = Object.keys(createLocalExecutionEnvironment(folder)).filter((member) => member !== 'running')
  const known = { workingDirectory: () => folder, platform: () => process.platform, osVersion: () => release() }
  return { ...Object.fromEntries(members.map((member) => [member, later(member)])), ...known } as unknown as ExecutionEnvironment
}
