import { parentPort, workerData } from 'node:worker_threads'
import type { ModelPlan } from './bench-app.ts'
import { startToolRoundServer } from './tool-round-server.ts'

/** Answers in the way that `workerData` specifies, and posts its port as soon as it listens. */
const plan = workerData as ModelPlan
const call = { name: 'shell', input: () => ({ command: plan.kind === 'shell' ? plan.command : 'true' }) }
const lastAnswer = plan.kind === 'deltas' ? Array.from({ length: plan.count }, () => 'word ') : ['Done.']
const server = await startToolRoundServer(plan.kind === 'shell' ? 1 : 0, call, lastAnswer)
parentPort?.postMessage(Number(new URL(server.url).port))
