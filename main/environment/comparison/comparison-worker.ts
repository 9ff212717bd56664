import { parentPort } from 'node:worker_threads'
import { orNull } from '../environment-failure.ts'
import { compareReadings } from './compare-readings.ts'
import { type FolderReading, type ReadFolder, readFolder, type SeenFile } from './read-folder.ts'
import type { ComparisonAnswer, ComparisonRequest, Preparation } from './comparison-thread.ts'

const running = new Map<number, FolderReading>()
/** The files of the newest reading. The bytes of unchanged files are taken from it instead of the disk. */
let known: ReadonlyMap<string, SeenFile> = new Map()

function answer(request: ComparisonRequest): ComparisonAnswer | null {
  const { id } = request
  if (request.kind === 'drop') {
    running.delete(id)
    return null
  }
  const reading = read(request)
  if (request.kind === 'begin') {
    running.set(id, reading)
    return { id, kind: 'begun' }
  }
  const before = request.before ?? running.get(id)
  running.delete(id)
  if (!before) return { id, kind: 'failed', message: 'the first reading is missing' }
  return { id, kind: 'ended', found: compareReadings(before, reading, request.budget) }
}

function read(request: ReadFolder): FolderReading {
  const reading = readFolder(request, known)
  known = reading.files
  return reading
}

parentPort?.on('message', (request: ComparisonRequest | Preparation) => {
  if (request.kind === 'prepare') return void orNull(() => read(request))
  try {
    const answered = answer(request)
    if (answered) parentPort?.postMessage(answered)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    parentPort?.postMessage({ id: request.id, kind: 'failed', message } satisfies ComparisonAnswer)
  }
})
