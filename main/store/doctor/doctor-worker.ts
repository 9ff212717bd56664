import { parentPort, workerData } from 'node:worker_threads'
import { databaseClass } from '../database/database.ts'
import type { DoctorMessage, DoctorTask } from './doctor.ts'
import { examine } from './examine.ts'
import { repair } from './repair.ts'

const { dataFolder, wantsRepair } = workerData as DoctorTask
const say = (message: DoctorMessage): void => parentPort?.postMessage(message)
const onProgress = (read: number): void => say({ kind: 'progress', read })

try {
  const Class = await databaseClass()
  const first = await examine(Class, dataFolder, onProgress)
  const repaired = wantsRepair ? await repair(Class, dataFolder, first.findings) : []
  const examined = wantsRepair ? await examine(Class, dataFolder, onProgress) : first
  say({ kind: 'done', examined, repaired })
} catch (error) {
  say({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
}
