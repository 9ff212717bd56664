import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createServedApp } from '../../../main/compose/served-app.ts'
import { headlessHost } from '../../../main/headless/headless-host.ts'
import type { AppParts } from '../../../main/compose/app-parts.ts'
import type { AppClient } from '../../../shared/api/contract.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import { connect } from '../../../shared/wire/connect.ts'
import { serve } from '../../../shared/wire/serve.ts'
import { memoryWire } from '../../support/memory-wire.ts'

/** The entire app with a trusted folder, which may be on another machine. */
export interface FarDesk {
  readonly client: AppClient
  /** Creates a session in the folder. */
  session(mode: ApprovalMode): Promise<SessionId>
  /** Sends a message, and waits for the end of its turn. */
  turn(sessionId: SessionId): Promise<void>
  close(): Promise<void>
}

interface FarDeskParts extends Pick<AppParts, 'connectBy' | 'sandbox'> {
  /** A folder in which the data folder is made. */
  readonly base: string
  /** The name of a data folder that may exist. Default: a new one. */
  readonly data?: string
  /** The address. */
  readonly folder: string
  readonly modelUrl: string
}

let desks = 0

export async function openFarDesk({ base, data = `data-${++desks}`, folder, modelUrl, ...more }: FarDeskParts): Promise<FarDesk> {
  const dataFolder = join(base, data)
  mkdirSync(dataFolder, { recursive: true })
  const parts = { host: headlessHost(), dataFolder, version: '0', openFolder: null, watched: true, whenUnsaved: 'fail' } as const
  const app = await createServedApp({ ...parts, mayInstall: () => Promise.resolve(true), ...more })
  if (!app.ok) throw new Error(app.failure.what)
  const [page, main] = memoryWire()
  const onBug = (error: unknown): void =>
    queueMicrotask(() => {
      throw error
    })
  serve(main, app.value.contract, app.value.handlers, { connection: 'window', onBug })
  const client = connect(page, app.value.contract)
  await client.settings.change({ baseUrl: { provider: 'anthropic', url: modelUrl } })
  await client.settings.setKey({ provider: 'anthropic', key: 'sk-ant-not-a-key-12345678' })
  const trusted = await client.workspace.trust({ folder, trusted: true })
  if (!trusted.ok) throw new Error(JSON.stringify(trusted))
  let inputs = 0
  const run = `${process.pid}-${Date.now()}`
  return {
    client,
    async session(mode) {
      const created = await client.sessions.create({ folder, provider: 'anthropic', model: 'claude-haiku-4-5', mode })
      if (!created.ok) throw new Error(created.trouble.what)
      return created.sessionId
    },
    async turn(sessionId) {
      const sent = await client.sessions.send({ sessionId, inputId: `input-${run}-${++inputs}`, text: 'Go on.', delivery: 'queue' })
      if (!sent.ok) throw new Error(sent.trouble.what)
      const abort = new AbortController()
      for await (const item of client.sessions.list({}, abort.signal)) {
        if (item.kind === 'removed') continue
        const known = item.kind === 'all' ? item.sessions.find((one) => one.sessionId === sessionId) : item.session
        if (known?.sessionId === sessionId && known.run === 'IDLE') break
      }
      abort.abort()
    },
    async close() {
      page.close()
      await app.value.close()
    },
  }
}
