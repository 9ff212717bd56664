import { historyOf } from './history.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import type { NodeFacts } from './node-facts.ts'
import { nextAnswer } from './script.ts'
import { toldMessages } from './told-messages.ts'

/** The server that says what the rehearsal's script says, `paceMs` milliseconds between two pieces of an answer. */
export function startScriptedModel(paceMs: number, node: NodeFacts | null): Promise<ModelServer> {
  return startModelServer((request) => ({
    kind: 'message',
    blocks: nextAnswer(historyOf(toldMessages(request.format, request.json)), node),
    // Four characters a token, as everywhere where nobody counts.
    usage: { input: Math.ceil(request.bytes.byteLength / 4), output: 60 },
    delivery: { paceMs },
  }))
}
