import { openFarDesk } from './far-desk.ts'
import { testMachine } from './wire.ts'

/** A desk for tests that kill it: runs one turn, and is killed before the message with this number crosses. Prints when it has ended. */
const [base = '', folder = '', modelUrl = '', before = '0', graceMs = '0'] = process.argv.slice(2)
let crossed = 0
const connection = {
  onMessage() {
    if (++crossed === Number(before)) process.kill(process.pid, 'SIGKILL')
  },
}
const machine = testMachine(base, () => connection, Number(graceMs))
const parts = { base, data: 'data', folder, modelUrl, connectBy: machine.connectBy, sandbox: 'off' } as const
const desk = await openFarDesk(parts)
await desk.turn(await desk.session('full'))
process.stdout.write(`${crossed} messages\n`)
await desk.close()
