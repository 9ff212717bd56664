import { dirname } from 'node:path'
import type { CommandCopies } from '../../main/agent/ports/command-copies.ts'
import type { HostProcess } from '../../main/host-process/near/start-host-process.ts'
import { deferredSite } from '../../main/host-process/near/deferred/deferred-site.ts'
import { hostOver } from '../environment/host-environment.ts'
import { memoryBlobs } from '../support/memory-blobs.ts'
import { useCopies } from '../environment/copy/support.ts'

/** The copies of a host process, which starts with the first call. */
function copiesThere({ folder, layers }: { readonly folder: string; readonly layers: string }): CommandCopies {
  let host: Promise<HostProcess> | null = null
  const begin = (): Promise<HostProcess> => hostOver(folder, { data: dirname(layers), blobs: memoryBlobs() })
  const facts = {
    folder,
    platform: process.platform,
    osVersion: '',
    ifRunning: () => {},
    inUse: () => {},
    sign: (files: Parameters<CommandCopies['sign']>[0]) => void host?.then(({ copies }) => copies?.sign(files)),
  }
  const { copies } = deferredSite(facts, true, async (work) => work(await (host ??= begin())))
  if (copies === null) throw new Error('There are no copies.')
  return copies
}

useCopies(copiesThere)
const SUITES = ['applying', 'bash-state', 'copy', 'filled', 'git-change.slow', 'hard-links', 'hosts', 'kept', 'temporary'] as const
for (const name of SUITES) await import(`../environment/copy/${name}.test.ts`)
