import { onTestFinished } from 'vitest'
import type { ExecutionEnvironment } from '../../main/agent/ports/execution-environment.ts'
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
