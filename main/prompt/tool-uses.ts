import { useOf } from '../../shared/tools/catalogue.ts'
import { shellSpec } from '../../shared/tools/built-in/shell.ts'
import type { CommandLimits } from '../agent/ports/tool.ts'
import type { ToldTools } from './prompt-sections.ts'

/** One line per built-in tool of the session. A tool that a host added has no line, because its definition is enough. */
export function toolUseLines(names: readonly string[], tools: ToldTools): readonly string[] {
  return names.flatMap((canonical) => {
    const use = useOf(canonical)
    if (use === undefined) return []
    const limits = canonical === shellSpec.name ? ` ${timeLimits(tools.limits)}` : ''
    return [`- ${tools.name(canonical)}: ${use}${limits}`]
  })
}

function timeLimits({ sessionCommandMs, defaultCommandMs, longCommandMs = 0 }: CommandLimits): string {
  const defaultMs = sessionCommandMs ?? defaultCommandMs
  const long = sessionCommandMs ?? Math.max(defaultCommandMs, longCommandMs)
  const more = long > defaultMs ? `, a test, build or install after ${duration(long)}` : ''
  return `A command is stopped after ${duration(defaultMs)}${more}; set timeout_ms if it needs longer.`
}

function duration(ms: number): string {
  const seconds = ms / 1000
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
}
