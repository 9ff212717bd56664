import type { Stream } from '@agentclientprotocol/sdk'
import { onTestFinished } from 'vitest'
import { serveAcp } from '../../../../main/acp/server/serve-acp.ts'
import { type App, createApp } from '../../../../main/compose/app.ts'
import { headlessHost } from '../../../../main/headless/headless-host.ts'
import type { ServerDraft } from '../../../../main/mcp/server-entries.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../../../support/scripted-model.ts'
import { type Answer, type Editor, openEditor } from './editor.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

export interface Served {
  readonly editor: Editor
  readonly model: ScriptedModel
  readonly project: string
  readonly data: string
  /** Another editor over the same data folder, as after a restart of the agent. */
  reconnect(answer?: Answer): Editor
  /** Closes the connection. Resolves when the agent has ended. */
  hangUp(editor: Editor): Promise<void>
}

/** The agent in this process, and an editor that is connected to it. */
export async function served(script: Script, answer?: Answer): Promise<Served> {
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  const project = temporaryFolder('project')
  const data = temporaryFolder('data')
  const hangUps = new Map<Editor, () => Promise<void>>()
  const reconnect = (how?: Answer): Editor => {
    const stop = new AbortController()
    const [near, far] = streamPair()
    const serving = serveAcp({
      version: '0.0.0',
      stream: far,
      here: project,
      signal: stop.signal,
      openApp: (folder, { list }) => openApp(data, folder, list),
      opened: () => {},
      configFor: (app: App) => app.models.defaults({ provider: 'anthropic', mode: 'ask', baseUrl: model.url }),
    })
    onTestFinished(() => serving)
    onTestFinished(() => stop.abort())
    const editor = openEditor(near, how)
    hangUps.set(editor, () => {
      stop.abort()
      return serving
    })
    return editor
  }
  return {
    editor: reconnect(answer),
    model,
    project,
    data,
    reconnect,
    hangUp: async (editor) => hangUps.get(editor)?.(),
  }
}

async function openApp(dataFolder: string, trusted: string, givenServers: () => readonly ServerDraft[]) {
  const app = await createApp({
    host: headlessHost(),
    dataFolder,
    version: '0.0.0',
    openFolder: null,
    watched: false,
    takesQuestions: true,
    whenUnsaved: 'fail',
    trusted,
    givenServers,
  })
  if (app.ok) await app.value.secrets.set('anthropic', 'sk-ant-test')
  return app
}

function streamPair(): readonly [Stream, Stream] {
  const there = new TransformStream()
  const back = new TransformStream()
  return [
    { writable: there.writable, readable: back.readable },
    { writable: back.writable, readable: there.readable },
  ]
}
