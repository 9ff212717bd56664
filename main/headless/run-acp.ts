import { Readable, Writable } from 'node:stream'
import type { Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { EditorServers } from '../acp/server/editor-servers.ts'
import { messageStream, serveAcp } from '../acp/server/serve-acp.ts'
import type { App } from '../compose/app.ts'
import { VERSION } from '../version.ts'
import { reportServers } from './report/report-servers.ts'
import { complain } from './report/standard-output.ts'
import { newConfig } from './start/chosen-session.ts'
import type { RunFlags } from './start/flags.ts'

export interface AcpRunParts {
  readonly flags: RunFlags
  /** The real path of `--cwd`, or of the current folder. */
  readonly here: string
  /** Opens an app that trusts this folder and uses the editor's MCP servers. */
  openApp(folder: string, servers: EditorServers): Promise<Result<App, Trouble>>
  readonly signal: AbortSignal
}

/**
 * Serves one editor until it closes standard input. Only protocol messages go to standard output. The user has opened the folders in the
 * editor, so they are trusted. Returns the exit code.
 */
export async function runAcp({ flags, here, openApp, signal }: AcpRunParts): Promise<number> {
  const output: WritableStream<Uint8Array> = Writable.toWeb(process.stdout)
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>
  await serveAcp({
    version: VERSION,
    stream: messageStream(output, input),
    here,
    openApp,
    configFor: (app) => newConfig(app, flags),
    // Editors show what goes to standard error in a log.
    opened: (app, cwd) => void reportServers(app.mcp, cwd, complain),
    signal,
  })
  return 0
}
