import { connectApp } from '../../renderer/wire/connect-app.ts'
import { connect } from '../../shared/wire/connect.ts'
import { benchContract } from '../conformance/wire-bench.ts'

/** A page of the smallest kind: it connects as ours does, asks once, and says what came of it. */
declare global {
  interface Window {
    /** Listens to this many numbers and gives their sum. */
    sumTo?: (to: number) => Promise<number>
  }
}

const say = (state: string, text: string): void => {
  document.body.dataset['state'] = state
  document.body.textContent = text
}

try {
  // oxlint-disable-next-line no-new-func, no-implied-eval
  document.body.dataset['evaluates'] = String((new Function('return 1') as () => number)())
} catch (error) {
  document.body.dataset['evaluates'] = (error as Error).name
}

try {
  const wire = await connectApp()
  wire.onClose((reason) => say('closed', reason))
  const client = connect(wire, benchContract)
  window.sumTo = async (to) => {
    let sum = 0
    for await (const item of client.bench.count({ to }, new AbortController().signal)) sum += item
    return sum
  }
  const { connection } = await client.bench.echo({ text: 'hello' })
  say('open', connection)
} catch (error) {
  say('refused', error instanceof Error ? error.message : String(error))
}
