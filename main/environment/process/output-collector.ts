import type { ExecOptions, OutputChunk } from '../../agent/ports/execution-environment.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import type { EmulatorSize } from '../output/terminal-emulator.ts'
import type { KeptText } from '../output/head-tail.ts'
import { createUtf8Decoder } from '../output/utf8-decoder.ts'
import { ScreenText } from '../output/screen-text.ts'

/** Number of characters of a command's text that are kept in memory at each end: eight times as many as an event contains. */
const KEEP = { head: 256 * 1024, tail: 256 * 1024 } as const
/** Assumed screen size of a command on pipes. Few programs that draw without a terminal use more columns. */
const PIPE_SCREEN: EmulatorSize = { columns: 500, rows: 50 }
/** Maximum number of characters of the last lines that are sent as progress (TOOL_CALL_OUTPUT_DELTA). */
const PROGRESS_LENGTH = 2000
/** Time between progress reports in ms. Ten reports per second look live. */
const PROGRESS_MS = 100

export interface Collected {
  readonly stdout: KeptText
  readonly stderr: KeptText
  readonly bytes: number
}

type Listeners = Pick<ExecOptions, 'onOutput' | 'spool' | 'spoolText' | 'onProgress'>

/** Known secrets are removed from a command's output before it is used. */
export interface WithRedactor {
  readonly redactor: Redactor
}

/** Converts a command's raw bytes once into everything that is needed: the spool, the live text and the kept text. */
export class OutputCollector {
  readonly #options: Listeners
  readonly #streams
  #bytes = 0
  #last: 'stdout' | 'stderr' = 'stdout'
  #progressTimer: NodeJS.Timeout | undefined

  /** `terminal`: the size of the command's terminal. Null on pipes. */
  constructor(options: Listeners, terminal: EmulatorSize | null, onBacklog: (isFull: boolean) => void) {
    this.#options = options
    const size = terminal ?? PIPE_SCREEN
    const open = () => ({
      decoder: createUtf8Decoder(),
      text: new ScreenText({
        size,
        convertEol: terminal === null,
        keep: KEEP,
        sink: options.spoolText,
        onBacklog,
      }),
    })
    this.#streams = { stdout: open(), stderr: open() }
  }

  /** Returns the bytes as text, without splitting characters. */
  take(stream: OutputChunk['stream'], bytes: Buffer): string {
    const { decoder, text } = this.#streams[stream]
    const isWhole = !decoder.isInside
    const decoded = decoder.write(bytes)
    this.#arrived(stream, bytes)
    if (!isWhole || !text.writeBytes(bytes)) text.write(decoded)
    if (decoded !== '') this.#options.onOutput?.({ stream, text: decoded })
    return decoded
  }

  /** Like `take`, for output whose decoded text nobody needs. Most output is passed on without decoding it. */
  takeBytes(stream: OutputChunk['stream'], bytes: Buffer): void {
    const { decoder, text } = this.#streams[stream]
    if (this.#options.onOutput || decoder.isInside) return void this.take(stream, bytes)
    this.#arrived(stream, bytes)
    if (!text.writeBytes(bytes)) text.write(decoder.write(bytes))
  }

  resize(size: EmulatorSize): void {
    this.#streams.stdout.text.resize(size)
  }

  /** Whether the last output was only appended, so that no emulator was needed for it. */
  get isPlain(): boolean {
    return this.#streams[this.#last].text.isPlain
  }

  screen(): string {
    return this.#streams[this.#last].text.screen()
  }

  /** Call once, after the last output. */
  async end(): Promise<Collected> {
    clearTimeout(this.#progressTimer)
    const { stdout, stderr } = this.#streams
    for (const { decoder, text } of [stdout, stderr]) text.write(decoder.end())
    return { stdout: await stdout.text.end(), stderr: await stderr.text.end(), bytes: this.#bytes }
  }

  #arrived(stream: OutputChunk['stream'], bytes: Buffer): void {
    this.#bytes += bytes.length
    this.#last = stream
    this.#options.spool?.(bytes)
    if (this.#options.onProgress) this.#tellSoon()
  }

  #tellSoon(): void {
    this.#progressTimer ??= setTimeout(() => this.#tellProgress(), PROGRESS_MS)
  }

  #tellProgress(): void {
    this.#progressTimer = undefined
    // Schedules another report for text that is not drawn yet, because there may be no further output.
    if (this.#streams[this.#last].text.isDrawing) this.#tellSoon()
    this.#options.onProgress?.(lastLines(this.screen()), this.#bytes)
  }
}

/** The output of a command on pipes. It passes through the redactor before it is collected. */
export function createPipedOutput(
  options: Listeners & WithRedactor,
  onBacklog: (isFull: boolean) => void,
): Pick<OutputCollector, 'takeBytes' | 'end'> {
  const output = new OutputCollector(options, null, onBacklog)
  const open = (stream: OutputChunk['stream']) => options.redactor.stream((bytes) => output.takeBytes(stream, bytes))
  const streams = { stdout: open('stdout'), stderr: open('stderr') }
  return {
    takeBytes: (stream, bytes) => streams[stream].write(bytes),
    end() {
      streams.stdout.end()
      streams.stderr.end()
      return output.end()
    },
  }
}

/** The end of the text. It starts at the beginning of a line or, inside a longer line, at the beginning of a character. */
function lastLines(text: string): string {
  if (text.length <= PROGRESS_LENGTH) return text
  const end = text.slice(-PROGRESS_LENGTH)
  const lineStart = end.indexOf('\n') + 1
  return lineStart > 0 ? end.slice(lineStart) : end.replace(/^[\udc00-\udfff]/, '')
}
