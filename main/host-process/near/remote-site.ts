import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { lookedFiles } from './looked-files.ts'
import { remoteComparison } from './remote-comparison.ts'
import { remoteCopies } from './remote-copies.ts'
import { remoteFiles } from './remote-files.ts'
import { remoteLayers } from './remote-layers.ts'
import { callsOn, type RemoteParts, type RemoteSite } from './remote-parts.ts'
import { openRemotePipes } from './open-remote-program.ts'
import { remotePrograms } from './remote-programs.ts'

/** The folder of the far side, or the layer that was opened with the call `on`. `beforeStart`: called before a program may be started. */
export function remoteSite(parts: RemoteParts, on = 0, beforeStart: () => void = () => {}): RemoteSite {
  const { facts, blobs } = parts
  const calls = callsOn(parts.calls, on, beforeStart)
  const initialize = async (): Promise<void> => void (await calls.call('initialize', {}))
  const files = { ...remoteFiles(calls), initialize }
  const environment: ExecutionEnvironment = {
    ...files,
    ...(parts.isFar && lookedFiles(files, calls)),
    ...remotePrograms(calls, parts),
    ports: {
      listening: () => calls.call('listeningPorts', {}),
      dial: (port, signal) => openRemotePipes(parts.line.channel, (pipes) => calls.call('dialPort', { port }, pipes), signal),
    },
    async cleanup() {
      if (!parts.isLost()) await calls.call('cleanup', {})
    },
    workingDirectory: () => facts.folder,
    platform: () => facts.platform,
    osVersion: () => facts.osVersion,
  }
  return {
    calls,
    environment,
    comparison: remoteComparison(calls),
    copies: blobs && remoteCopies(calls, parts),
    layers: blobs && remoteLayers(calls, parts, blobs, (id, before) => remoteSite(parts, id, before)),
  }
}
