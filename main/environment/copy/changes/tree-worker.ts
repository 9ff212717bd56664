import { parentPort } from 'node:worker_threads'
import { codeOf } from '../../environment-failure.ts'
import type { TreeReply } from './ignored-tree.ts'
import { type TreeToWalk, walkTree } from './walk-tree.ts'

function reply(request: TreeToWalk): TreeReply {
  try {
    return { kind: 'walked', found: walkTree(request) }
  } catch (error) {
    return { kind: 'unreadable', code: codeOf(error) ?? 'EIO', message: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (request: TreeToWalk & { readonly id: number }) => {
  parentPort?.postMessage({ ...reply(request), id: request.id })
})
