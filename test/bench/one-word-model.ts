import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import { startToolRoundServer } from './tool-round-server.ts'

/** Answers every request with one word. Tells its port when it listens. */
const server = await startToolRoundServer(0, { name: 'shell', input: () => ({}) })
parentPort?.postMessage(Number(new URL(server.url).port) satisfies AddressInfo['port'])
