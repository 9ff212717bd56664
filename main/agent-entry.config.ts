import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'
import { output, settings, threads } from './rolldown.config.ts'

const entry = fileURLToPath(new URL('agent-entry.ts', import.meta.url))

/** `countersign/agent` with its threads, in its own folder. Not part of the shells and the packaged app. */
export default defineConfig([{ ...settings, input: { 'agent-entry': entry }, output: { ...output, dir: 'dist/agent' } }, ...threads])
