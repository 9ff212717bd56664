import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerAnswer, WorkerRequest } from './grep-in-worker.ts'
import { searchWithoutRipgrep } from './search-without-ripgrep.ts'

const answer: WorkerAnswer = searchWithoutRipgrep(workerData as WorkerRequest)
parentPort?.postMessage(answer)
