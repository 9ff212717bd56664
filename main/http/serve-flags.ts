import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Result, failed, ok } from '../../shared/lib/result.ts'
import { type SandboxUse, sandboxUse } from '../compose/sandbox-use.ts'
import { wrongOption } from '../wrong-option.ts'

export interface ServeFlags {
  /** With 0, the system chooses a free port. */
  readonly port: number
  /** The folder to open first. Like `data`, it is absolute. */
  readonly folder: string | null
  readonly data: string | null
  readonly open: boolean
  readonly sandbox: Exclude<SandboxUse, 'require'>
}

const SERVE_HELP = `Countersign in a browser: serves the app on 127.0.0.1 and prints the address to open, which works once.

  --port N       listen on this port (default: a free one)
  --folder DIR   open this project folder first
  --data DIR     keep sessions and settings here (default: COUNTERSIGN_HOME, else the platform's default folder)
  --open         open it in a window if a Chromium-family browser is installed (default: print the address only)
  --sandbox WHEN auto (default): commands run in a copy of the folder first, if one can be made. off: they run for
                 real, after you sign them
  --help         show this help

From another machine: ssh -L 4000:127.0.0.1:N you@there, then open the address with port 4000.
`

/**
 * Relative folders are resolved against `here`. The failure is text for the terminal. `help` means that the user asked for the help text.
 */
export function parseServeFlags(
  argv: readonly string[],
  here: string,
): Result<ServeFlags, { readonly help: boolean; readonly message: string }> {
  const wrong = (message: string) => failed({ help: false, message })
  let values
  try {
    values = parse(argv)
  } catch (error) {
    return wrong(wrongOption(error))
  }
  if (values.help) return failed({ help: true, message: SERVE_HELP })
  const port = values.port ?? '0'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return wrong(`--port must be a number from 0 to 65535, not "${port}".`)
  for (const name of ['folder', 'data'] as const) if (values[name] === '') return wrong(`--${name} takes a folder.`)
  const sandbox = sandboxUse(values.sandbox)
  if (sandbox === null || sandbox === 'require') return wrong(`--sandbox must be auto or off, not "${values.sandbox}".`)
  const from = (folder: string | undefined): string | null => (folder === undefined ? null : resolve(here, folder))
  return ok({ port: Number(port), folder: from(values.folder), data: from(values.data), open: values.open ?? false, sandbox })
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowNegative: true,
    options: {
      port: { type: 'string' },
      folder: { type: 'string' },
      data: { type: 'string' },
      open: { type: 'boolean' },
      sandbox: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values
}
