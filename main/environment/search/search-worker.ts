import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerAnswer, WorkerRequest } from './grep-in-worker.ts'
import { searchFiles } from './node-search.ts'

const answer: WorkerAnswer = searchFiles(workerData as WorkerRequest)
parentPort?.postMessage(answer)
