import { openSettingsFile } from '../../../main/settings/settings-file.ts'
import { say } from './say.ts'

/** Reads the settings of a folder, tries to change them, and reports the result of both. */
const [folder = ''] = process.argv.slice(2)
const settings = openSettingsFile(folder)
const before = { mode: settings.current().mode, troubles: settings.troubles().map(({ code }) => code) }
const change = settings.change({ theme: 'dark' })
say({ ...before, change: change.ok ? 'saved' : change.failure.code })
settings.dispose()
