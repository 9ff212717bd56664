import { hash } from 'node:crypto'
import { assertNever } from '../../shared/lib/assert-never.ts'
import type { Effect } from '../../shared/session/effects.ts'

/**
 * The hash to which an answer applies: SHA-256, in lower-case hex, of exactly what would be executed or written, in order, of the files
 * that a command reaches through links, and of the content of the files that it executes. Values that are only displayed (short paths,
 * sizes, line counts, marks) are not included. Any other difference changes the hash.
 */
export function effectHash(effects: readonly Effect[]): string {
  return hash('sha256', JSON.stringify(effects.map(essence)), 'hex')
}

/** Lists instead of objects, so that the order is fixed and equal effects give equal text. */
function essence(effect: Effect): readonly unknown[] {
  switch (effect.kind) {
    case 'write':
      return [
        'write',
        effect.path,
        effect.before,
        effect.after,
        ...(effect.mode === undefined ? [] : [effect.mode]),
        ...(effect.conflict ? [effect.conflict.base, effect.conflict.own] : []),
      ]
    case 'delete':
      return ['delete', effect.path, effect.before]
    case 'command':
      return [
        'command',
        effect.command,
        effect.cwd,
        sortedEntries(effect.env),
        effect.timeoutMs,
        ...(effect.sandbox ? [effect.sandbox, effect.changeSet ?? null] : []),
        // The reached files are part of the hash, because a link that appears after the request can make the same command use another file.
        ...(effect.reaches
          ? [effect.reaches.map(({ shown, isRead, outside, control }) => [shown, isRead === true, outside, control])]
          : []),
        ...(effect.starts ? [effect.starts] : []),
        ...(effect.programsInFolder ? [{ programsInFolder: effect.programsInFolder }] : []),
        // Likewise the scripts: the user saw the command and knew what they contained at that time.
        ...(effect.executes ? [effect.executes.map(({ path, hash: content }) => [path, content])] : []),
      ]
    case 'permissions':
    case 'link':
      return [effect.kind, effect.path, effect.before, effect.after]
    case 'folder':
      return ['folder', effect.path, effect.change, ...(effect.tree ? [effect.tree.hash] : [])]
    case 'read':
      return ['read', effect.path]
    case 'network':
      return ['network', effect.url, effect.host]
    case 'mode':
      return ['mode', effect.to, effect.plan, ...(effect.document ? [effect.document] : [])]
    case 'question':
      return ['question', effect.questions, ...(effect.from ? [effect.from] : [])]
    case 'review':
      return ['review', effect.steps, effect.calls]
    case 'unknown':
      return ['unknown', effect.summary, ...(effect.tool ? [effect.tool.name, effect.tool.arguments] : [])]
    default:
      return assertNever(effect, 'effect')
  }
}

function sortedEntries(env: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
