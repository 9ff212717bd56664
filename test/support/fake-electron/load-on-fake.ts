import { registerHooks } from 'node:module'
import type { FakeApp } from './fake-app.ts'

const FAKE = new URL('electron.ts', import.meta.url).href

/**
 * Loads the main process's built entry as Electron would, with the fake in place of Electron, in a process of its own: the entry takes over
 * the process in which it runs. The app is not yet ready. `before` runs before the entry.
 */
export async function loadOnFake(
  entry: string,
  args: readonly string[],
  before: (app: FakeApp) => void = () => {},
): Promise<typeof import('./electron.ts')> {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron' ? { url: FAKE, format: 'module-typescript', shortCircuit: true } : next(specifier, context),
  })
  const electron = (await import(FAKE)) as typeof import('./electron.ts')
  electron.resetFakeElectron()
  before(electron.app)
  for (const word of args) {
    const [, name, value] = /^--([\w-]+)(?:=(.*))?$/.exec(word) ?? []
    if (name !== undefined) electron.app.commandLine.appendSwitch(name, value)
  }
  Object.defineProperty(process, 'defaultApp', { value: true, configurable: true })
  process.argv = [process.argv[0] ?? '', '.', ...args]
  await import(entry)
  return electron
}
