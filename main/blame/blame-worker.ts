import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { createBlobs } from '../store/blobs/blobs.ts'
import { databaseClass } from '../store/database/database.ts'
import { DATABASE_FILE } from '../store/file-names.ts'
import type { BlameReply, BlameRequest } from './blame.ts'
import { createRecordedChanges } from './recorded-changes.ts'
import { traceWriters } from './trace-writers.ts'

const { dataFolder } = workerData as { readonly dataFolder: string }
const Class = await databaseClass()
const log = new Class(join(dataFolder, DATABASE_FILE), { readonly: true, timeout: 5_000 })
const blobs = createBlobs({
  db: log,
  files: { folder: join(dataFolder, 'blobs'), partial: join(dataFolder, 'blobs', 'partial'), holder: 'blame' },
  write: (work) => work(),
  read: (work) => work(),
})

parentPort?.on('message', ({ id, path, version, layer, machine }: BlameRequest) => {
  const reply = (answer: BlameReply): void => parentPort?.postMessage(answer)
  try {
    const changes = createRecordedChanges(log, layer, machine)
    const blame = traceWriters(path, version, {
      ...changes,
      content: (hash) => (blobs.has(hash) ? blobs.get(hash) : null),
    })
    reply({ kind: 'traced', id, blame })
  } catch (error) {
    reply({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) })
  }
})
