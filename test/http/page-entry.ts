import { connectApp } from '../../renderer/wire/connect-app.ts'
import { connect } from '../../shared/wire/connect.ts'
import { benchContract } from '../conformance/wire-bench.ts'

/** A minimal page that connects as our page does, makes one call, and shows the result. */
declare global {
  interface Window {
    /** Reads this many numbers from a stream and returns their sum. */
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
