import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runBrowserShell } from '../../main/http/browser-shell.ts'
import { failed, ok } from '../../shared/lib/result.ts'
import { connect } from '../../shared/wire/connect.ts'
import { Bench, benchContract } from '../conformance/wire-bench.ts'
import { BrowserLike } from './page-like.ts'
import { builtPage } from './shell-on-a-page.ts'
import { freePort } from '../support/scripted-model.ts'

describe('the whole browser shell', () => {
  let pageFolder: string
  beforeEach(async () => {
    pageFolder = (await builtPage()).folder
  })
  afterEach(() => rm(pageFolder, { recursive: true }))

  interface Run {
    readonly address: Promise<() => string>
    readonly ended: Promise<unknown>
    readonly abort: AbortController
    readonly closed: string[]
    readonly bugs: string[]
    readonly bench: Bench
  }

  const run = (given: { readonly port?: number; readonly pageFolder?: string; readonly close?: () => Promise<void> } = {}): Run => {
    const abort = new AbortController()
    const bench = new Bench()
    const closed: string[] = []
    const bugs: string[] = []
    const { promise: address, resolve } = Promise.withResolvers<() => string>()
    const ended = runBrowserShell({
      port: given.port ?? 0,
      pageFolder: given.pageFolder ?? pageFolder,
      signal: abort.signal,
      onReady: resolve,
      onBug: (error, where) => bugs.push(`${where}: ${String(error)}`),
      createApp: () =>
        Promise.resolve(
          ok({
            contract: benchContract,
            handlers: bench.handlers,
            close: async () => {
              closed.push('app')
              await given.close?.()
            },
          }),
        ),
    })
    return { address, ended, abort, closed, bugs, bench }
  }

  const opened = async (address: string) => {
    const { port, hash } = new URL(address)
    return new BrowserLike(Number(port)).wire(hash)
  }

  it('two windows are served as two connections by one app', async () => {
    const shell = run()
    const address = await shell.address
    const clients = [connect(await opened(address()), benchContract), connect(await opened(address()), benchContract)]
    const answers = await Promise.all(clients.map((client) => client.bench.echo({ text: 'who' })))
    expect(answers.map(({ connection }) => connection)).toEqual(['browser-1', 'browser-2'])
    shell.abort.abort()
    expect([await shell.ended, shell.closed, shell.bugs]).toEqual([null, ['app'], []])
  })

  it('on exit the windows are closed first, then the app, and whatever ran for them is stopped', async () => {
    const shell = run()
    const page = await opened((await shell.address)())
    const lost = connect(page, benchContract)
      .bench.wait({})
      .then(null, (error: Error) => error.message)
    const handler = await shell.bench.started()
    shell.abort.abort()
    expect([await shell.ended, await lost, handler.signal.aborted, shell.closed]).toEqual([null, 'Countersign is ending', true, ['app']])
  })

  it('an app that fails while closing is reported, and the shell ends anyway', async () => {
    const shell = run({ close: () => Promise.reject(new Error('disk on fire')) })
    await shell.address
    shell.abort.abort()
    expect([await shell.ended, shell.bugs]).toEqual([null, ['close: Error: disk on fire']])
  })

  it('a port in use is reported before the app is started', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const shell = run({ port })
    expect(await shell.ended).toMatchObject({ code: 'port_in_use', what: `Port ${port} is in use by another program.` })
    expect(shell.closed).toEqual([])
    other.close()
  })

  it('a page that was not built is reported, with what to do', async () => {
    expect(await run({ pageFolder: `${pageFolder}-none` }).ended).toMatchObject({
      code: 'page_not_built',
      todo: 'Run “npm run build”, then start again.',
    })
  })

  it('an app that cannot start gives its own reason and leaves the port free', async () => {
    const trouble = { code: 'locked', what: 'It is locked.', kept: 'Everything is unchanged.', todo: 'Wait.' }
    const port = await freePort()
    const parts = { port, pageFolder, signal: new AbortController().signal, onReady: () => {}, onBug: () => {} }
    expect(await runBrowserShell({ ...parts, createApp: () => Promise.resolve(failed(trouble)) })).toEqual(trouble)
    const again = run({ port })
    await again.address
    again.abort.abort()
    expect(await again.ended).toBeNull()
  })
})
