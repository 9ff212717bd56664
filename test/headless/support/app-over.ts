import { onTestFinished } from 'vitest'
import type { AppParts } from '../../../main/compose/app-parts.ts'
import { type App, createApp } from '../../../main/compose/app.ts'
import { headlessHost } from '../../../main/headless/headless-host.ts'

/** Opens the app over a data folder in this process. */
export async function appOver(
  dataFolder: string,
  trusted: string,
  more: Partial<Pick<AppParts, 'takesQuestions' | 'watched'>> = {},
): Promise<App> {
  const app = await createApp({
    host: headlessHost(),
    dataFolder,
    version: '0.0.0',
    openFolder: null,
    watched: false,
    whenUnsaved: 'fail',
    trusted,
    ...more,
  })
  if (!app.ok) throw new Error(app.failure.what)
  onTestFinished(() => app.value.close())
  return app.value
}
