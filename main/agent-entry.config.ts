import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'
import { output, settings, threads } from './rolldown.config.ts'

const entry = fileURLToPath(new URL('agent-entry.ts', import.meta.url))

/**
 * Builds `countersign/agent` and its threads into their own folder. Neither the shells (`index`, `serve`, `run`) nor the packaged app
 * contain them.
 */
export default defineConfig([{ ...settings, input: { 'agent-entry': entry }, output: { ...output, dir: 'dist/agent' } }, ...threads])
