import { createApp } from '../../../main/compose/app.ts'
import { headlessHost } from '../../../main/headless/headless-host.ts'
import { takeOver } from '../../../main/layers/take-over.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { say } from '../../store/children/say.ts'

/**
 * Opens the app as each launch does, and carries out tasks on the layer of a session, one after the other: `take-over`, or `changes`, whose
 * result is each changed file as its base and its own version. Prints the results.
 */
const [tasks = '', dataFolder = '', id = ''] = process.argv.slice(2)
const sessionId = SessionId.parse(id)
const app = await createApp({ host: headlessHost(), dataFolder, version: '0.0.0', openFolder: null, watched: true, whenUnsaved: 'fail' })
if (!app.ok) throw new Error(app.failure.what)
const { store, workspaces, close } = app.value
const results: unknown[] = []
for (const task of tasks.split(',')) results.push(task === 'take-over' ? await takeOver(app.value, sessionId) : await changes())
say(results)
await close()

async function changes(): Promise<unknown> {
  const folder = await workspaces.open(store.sessions.get(sessionId)?.folder ?? '')
  if (!folder.ok || folder.value.layers === null) throw new Error('There are no layers.')
  const { files } = await folder.value.layers.changes(sessionId)
  const text = (file: (typeof files)[number]['base']): string | null => file && Buffer.from(store.blobs.get(file.hash)).toString()
  await folder.value.close()
  return Object.fromEntries(files.map(({ path, base, own }) => [path, [text(base), text(own)]]))
}
