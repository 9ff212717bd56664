import { rmSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { codeOf } from '../../environment-failure.ts'
import type { TreeReply, TreeRequest } from './tree-thread.ts'
import { walkTree } from './walk-tree.ts'

function reply(request: TreeRequest): TreeReply {
  try {
    if (request.kind === 'walk') return { kind: 'walked', found: walkTree(request) }
    rmSync(request.path, { recursive: true, force: true, maxRetries: 3 })
    return { kind: 'removed' }
  } catch (error) {
    return { kind: 'refused', code: codeOf(error) ?? 'EIO', message: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (request: TreeRequest & { readonly id: number }) => {
  parentPort?.postMessage({ ...reply(request), id: request.id })
})
