import { Emitter } from '../../../shared/lib/emitter.ts'
import type { RunningTerminal } from '../../agent/ports/execution-environment.ts'
import { ScreenRecorder } from '../../environment/output/screen-recorder.ts'
import { ScreenText } from '../../environment/output/screen-text.ts'
import type { EmulatorSize } from '../../environment/output/terminal-emulator.ts'

/** Where the keys of a terminal go. */
export interface TerminalKeys {
  type(data: string): void
  resize(size: EmulatorSize): void
}

/** A terminal whose program runs on the far side. It is drawn here, so that its last screen outlives the connection. */
export interface RemoteTerminal {
  readonly running: RunningTerminal
  data(text: string): void
  waits(isWaiting: boolean): void
  exit(exitCode: number | null): void
}

/** `onFull`: called with true if data arrives faster than it is drawn, and with false when more is wanted. */
export function createRemoteTerminal(size: EmulatorSize, keys: TerminalKeys, onFull: (isFull: boolean) => void): RemoteTerminal {
  const full = new Set<string>()
  const backlog =
    (reason: string) =>
    (isFull: boolean): void => {
      if (isFull) full.add(reason)
      else full.delete(reason)
      onFull(full.size > 0)
    }
  const screen = new ScreenText({ size, convertEol: false, keep: { head: 0, tail: 0 }, onBacklog: backlog('screen') })
  const recorder = new ScreenRecorder(size, backlog('recorder'))
  const heard = new Emitter<string>()
  const waiting = new Emitter<boolean>()
  const exited = new Emitter<number | null>()
  return {
    running: {
      write: keys.type,
      resize(columns, rows) {
        keys.resize({ columns, rows })
        screen.resize({ columns, rows })
        recorder.resize({ columns, rows })
      },
      onData: heard.event,
      onExit: exited.event,
      onWaits: waiting.event,
      screen: () => screen.screen(),
      snapshot: (part) => recorder.snapshot(part),
    },
    data(text) {
      screen.write(text)
      recorder.write(text, screen.isPlain)
      heard.fire(text)
    },
    waits: (isWaiting) => waiting.fire(isWaiting),
    exit: (exitCode) => exited.fire(exitCode),
  }
}
